# SPDX-License-Identifier: Apache-2.0
"""The preview clips, 50 to 56 seconds each: one file a mood."""
