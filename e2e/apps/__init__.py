"""Programs of others sign people in with the texts of their recipes alone: `make e2e-apps`.

`programs.py` has the programs, with the versions of their packages. Each gets the sources of its
folder, which know nothing of Keystead, and the settings of its recipe. `programs_sign_in.py`
installs and starts one after another, and `apps.test.js` is the person in Chromium. What each
program did, with its versions and the date, stands in `results.json`, which docs/software.md shows.

The rule: a setting that a program needs for Keystead stands in its recipe and nowhere else.
"""
