# Debian's python3-idna as a second implementation of IDNA 2008: reads one JSON request, and answers
# with the class of each code point by its own tables, and with what it says of labels.
import json
import sys
import unicodedata

import idna
from idna import idnadata
from idna.intranges import intranges_contain


def class_of(code):
    for name, ranges in idnadata.codepoint_classes.items():
        if intranges_contain(code, ranges):
            return name
    return 'DISALLOWED'


def takes(label):
    try:
        idna.check_label(label)
        return idna.alabel(label).decode()
    except (idna.IDNAError, UnicodeError, ValueError):
        return None


asked = json.load(sys.stdin)
codes = range(0x110000)
print(json.dumps({
    'unicode': idnadata.__version__,
    'classes': [class_of(code) for code in codes],
    'assigned': [unicodedata.category(chr(code)) != 'Cn' for code in codes],
    'labels': [takes(label) for label in asked['labels']],
}))
