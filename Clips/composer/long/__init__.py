# SPDX-License-Identifier: Apache-2.0
"""The long clips, a good three minutes each: one file a piece."""
