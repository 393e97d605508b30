"""Reads the public declarations of a header, with their comments.

header = read("include/axe/algebra/group.hpp")
header.head           the lines of the comment that opens the file, without "//"
header.declarations   Declaration(comment, text, members), in the order of the file

A declaration is public in namespace axe, outside of namespace detail, and not after `private:`.
Headers must be formatted by clang-format, which closes each namespace with a comment that names it.
"""

import dataclasses
import pathlib
import re

ANNOTATIONS = re.compile(
    r"\bAXE_[A-Z_]+\b(\([^()]*\))?\s*|\b(__device__|__forceinline__|inline|static)\s+"
    r"|\[\[maybe_unused\]\]\s*"
)
TYPE = re.compile(r"\b(struct|class|union|enum class|enum|concept)\s+([A-Za-z_]\w*)")
NOT_SHOWN = re.compile(
    r"^(#|using namespace|static_assert|friend|extern|inline namespace|namespace|public:"
    r"|[A-Z_]+\(|~|template (struct|class) )"
)


@dataclasses.dataclass
class Declaration:
    comment: list
    text: str
    members: list


@dataclasses.dataclass
class Header:
    head: list
    declarations: list


def after_template(text, start=0):
    """Returns the position after the `template <...>` that begins at `start`, or `start` if none
    does.
    """
    found = re.match(r"template\s*<", text[start:])
    if not found:
        return start
    angles, others = 1, 0
    for k in range(start + found.end(), len(text)):
        others += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[k], 0)
        if others == 0 and not {text[k - 1 : k + 1], text[k : k + 2]} & {"->", "<=", ">=", "<<"}:
            angles += {"<": 1, ">": -1}.get(text[k], 0)
        if angles == 0:
            k += 1
            return after_template(text, k + len(text[k:]) - len(text[k:].lstrip()))
    return len(text)


def is_type(text):
    """True if the text declares a type. Then its braces contain members."""
    rest, before = text[after_template(text) :], None
    while rest != before:
        rest, before = re.sub(r"\([^()]*\)", "", rest), rest
    return bool(re.match(r"(requires\b.*?\s)?(struct|class|union|enum)\b", rest, re.S))


def name_of(text):
    """Returns the name that a declaration declares."""
    text = re.sub(r"^requires\s*\([^()]*(\([^()]*\)[^()]*)*\)\s*", "", text[after_template(text) :])
    found = TYPE.search(text)
    if found and (is_type(text) or found.group(1) == "concept"):
        return found.group(2)
    if "operator" in text:
        return re.search(r"operator\s*(\(\)|[^(]+)", text).group().strip()
    has_parameters = "=" not in text or "(" in text.split("=")[0]
    text = text.split("(" if has_parameters else "=")[0]
    return re.findall(r"\w+", text.split("{")[0].split(" = ")[0])[-1]


def end_of(text, start):
    """Returns where a declaration that begins at `start` ends: at its `;` or at the brace of its
    body.

    Braces inside parentheses and after `=` or `>` are initial values.
    """
    depth, k = 0, after_template(text, start)
    while k < len(text):
        c = text[k]
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == ";" and depth == 0:
            return k
        elif c == "{":
            before = text[start:k].rstrip()
            value = re.search(r"=\s*[\w:<>, ]*$|[\w>\]]$", before)
            body = is_type(before) or re.search(r"(\)|const|noexcept|requires .*|\boperator\b.*)$",
                                                before, re.S)
            if depth == 0 and (body or not value):
                return k
            depth += 1
        elif c == "}":
            depth -= 1
        k += 1
    return k


def after_braces(text, start):
    """Returns the position after the brace that closes the one at `start`."""
    depth = 0
    for k in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        if depth == 0:
            return k + 1
    return len(text)


def code_of(text):
    """Returns the text with blanks for comments and for the contents of strings. Positions stay the
    same.
    """

    def blank(found):
        return re.sub(r"[^\n]", " ", found.group())

    return re.sub(r'"(\\.|[^"\\\n])*"|(?<!\w)\'(\\.|[^\'\\\n])\'|//[^\n]*', blank, text)


def tidy(text):
    """Returns a declaration on one line, without annotations, comments and initial values."""
    text = ANNOTATIONS.sub("", text)
    text = re.sub(r"\s*//[^\n]*|^\s*#[^\n]*", "", text, flags=re.M)
    # Removes the initial values of a constructor.
    text = re.sub(r"\)\s*:\s*\w+\(.*$", ")", text, flags=re.S)
    return re.sub(r"\s+", " ", text).strip()


def declarations_in(source):
    """Returns the declarations in the body of a namespace or type."""
    text, shown, found, comment, k = source, code_of(source), [], [], 0
    while k < len(text):
        line_end = text.find("\n", k) if "\n" in text[k:] else len(text)
        line = shown[k:line_end]
        if text.startswith("///", k):
            comment.append(text[k + 3 : line_end].removeprefix(" ").rstrip())
            k = line_end
            continue
        if shown[k].isspace():
            k += 1
            continue
        if line.startswith("#"):
            while text[k:line_end].endswith("\\"):
                line_end = text.find("\n", line_end + 1)
            comment, k = [], line_end
            continue
        if re.match(r"(private|protected):", line):
            break
        if line.startswith("public:"):
            k += len("public:")
            continue
        if re.match(r"(inline )?namespace\b", line):
            brace = shown.index("{", k)
            end = after_braces(shown, brace)
            if not re.match(r"namespace (\w+::)*(detail|stl)\b", line):
                found += declarations_in(text[brace + 1 : end - 1])
            comment, k = [], end
            continue
        if line[0] in "};":
            k += 1
            continue
        # This macro declares another form of the function above.
        if re.match(r"[A-Z][A-Z_]+\(", line):
            k = shown.find(")", k)
            while k < len(text) and shown[k] in ");":
                k += 1
            comment = []
            continue
        end = end_of(shown, k)
        members, body_end = [], end + 1
        declared = text[k:end]
        if end < len(text) and shown[end] == "{":
            body_end = after_braces(shown, end)
            if is_type(shown[k:end]) and "enum" not in shown[k:end]:
                body = text[end + 1 : body_end - 1]
                # Members of a class are private before `public:`.
                if re.match(r"class\b", declared[after_template(declared) :]):
                    body = body[body.find("public:") :] if "public:" in body else ""
                members = declarations_in(body)
            elif re.search(r"\benum\b", shown[k:end]):
                declared = text[k:body_end]
        if comment or not NOT_SHOWN.match(tidy(declared) or "#"):
            found.append(Declaration(comment, tidy(declared), members))
        comment, k = [], body_end
    return found


def read(path):
    """Reads the head and the public declarations of a header."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    lines = text.splitlines()
    head = []
    for line in lines:
        if not line.startswith("//") or line.startswith("// SPDX"):
            if line.startswith("// SPDX"):
                continue
            break
        head.append(line[2:].removeprefix(" ").rstrip())
    return Header(head, [d for d in declarations_in(text) if d.text])
