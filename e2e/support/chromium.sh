#!/bin/sh
# Chromium without pages that it loads for nobody: in each window the popups of the address bar, and for each profile a
# spare process. They cost as much processor time as the pages under test. Playwright turns other features off, and of
# several --disable-features, Chromium takes one.
for word; do
  shift
  case $word in
    --disable-features=*) word="$word,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess" ;;
  esac
  set -- "$@" "$word"
done
exec "$CHROMIUM" "$@"
