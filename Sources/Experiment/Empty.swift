// Filled by the trial machine.
