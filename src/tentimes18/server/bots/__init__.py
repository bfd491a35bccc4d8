"""The bots of duels, and the solved tables that some of them play by."""
