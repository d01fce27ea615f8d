"""What the sheet says (`columns`, `cells`, `sheet`) and what follows from it (`plan`). Pure."""
