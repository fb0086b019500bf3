// Plain text of a mail as parts to show: a code alone on its line, a link under its label, and
// paragraphs, whose lines were wrapped for mail programs.

export type MailTextPart =
  | { kind: 'paragraph'; lines: readonly string[] }
  | { kind: 'code'; code: string }
  | { kind: 'link'; label: string; url: string }
  | { kind: 'footer'; lines: readonly string[] }

const code = /^\d{6}$/
const link = /^([^\n]+):\n(https?:\/\/\S+)$/

export function mailTextParts(text: string): MailTextPart[] {
  const [body = '', footer] = text.replaceAll('\r\n', '\n').split(/^-- $\n/m)
  const parts = body
    .trim()
    .split(/\n{2,}/)
    .map(partOf)
  return footer === undefined
    ? parts
    : [...parts, { kind: 'footer', lines: footer.trim().split('\n') }]
}

function partOf(block: string): MailTextPart {
  if (code.test(block)) return { kind: 'code', code: block }
  const [, label, url] = link.exec(block) ?? []
  if (label !== undefined && url !== undefined) return { kind: 'link', label, url }
  // Quotations and the items of a list keep their lines.
  const lines = block.replaceAll(/\n(?![->] )/g, ' ').split('\n')
  return { kind: 'paragraph', lines }
}
