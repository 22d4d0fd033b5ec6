"""Puts the filter of the recipe and the ports into envoy.yaml."""

import re
import sys
import textwrap
from pathlib import Path

filters = Path("http_filters of envoy.yaml").read_text().strip()
[keystead] = re.findall(r"issuer: http://localhost:(\d+)", filters)
file = Path("envoy.yaml")
text = file.read_text().replace("FILTERS", textwrap.indent(filters, 18 * " "))
file.write_text(text.replace("PORT", sys.argv[1]).replace("KEYSTEAD", keystead))
