"""What the sheet says (`columns`, `cells`) and what follows from it (`plan`). Pure."""
