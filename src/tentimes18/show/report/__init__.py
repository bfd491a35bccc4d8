"""The review as a page for the browser: of one `game`, of many `games`, made of the parts in `page`."""
