# Renders Markdown as GitHub's own parser does (cmark-gfm, as https://pypi.org/project/cmarkgfm/ packs it): reads a
# document as JSON on each line, and writes its HTML as JSON on a line.
import json
import sys

from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options

OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_HARDBREAKS
for line in sys.stdin:
    print(json.dumps(github_flavored_markdown_to_html(json.loads(line), OPTIONS)))
