"""How things look and read: for people, wherever they are shown.

`figures` tells plain numbers, `words` worths, losses, aims and games, `verdict` a game in a sentence. `style/` has the
style sheets, its tokens.css every colour; `colours` gives them to what is drawn. `pictures` says what a picture needs
before `plots/` draws it; `card/` is the strategy on one page, `report/` the review as a page. `prism` writes the game
for model checkers.
"""
