"""Pictures of curves: what is drawn (`breaks`, `samples`, `scales`), and how (`figure` by
matplotlib, `page` as HTML)."""
