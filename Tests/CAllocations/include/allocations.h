#pragma once

/// The number of blocks that the calling thread has asked the heap for so far.
long allocations_of_this_thread(void);
