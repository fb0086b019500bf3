// The HTML part of every mail, from the same message as its text. Only inline styles, as many mail
// programs drop style elements; no tables, images or scripts, and nothing is loaded. Text has the
// reader's own colors (color-scheme), so that it is legible on light and dark backgrounds.
import { type Html, html } from '../../kit/html.ts'
import { Block, type MailPart } from './email-blocks.ts'
import { type EmailMessage, type FooterFacts, greetingOf, reasonsOf } from './email-template.ts'
import { Link, type Words } from './email-words.ts'

const styles = {
  page: 'margin:0;padding:24px 16px;color-scheme:light dark',
  column:
    'max-width:560px;margin:0 auto;font-family:system-ui,-apple-system,Segoe UI,Roboto,' +
    'Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:break-word',
  product: 'margin:0 0 24px;font-size:15px;font-weight:600',
  mark:
    'display:inline-block;width:28px;margin-right:10px;border-radius:8px;background-color:' +
    '#4f46e5;color:#ffffff;font-weight:700;line-height:28px;text-align:center',
  title: 'margin:0 0 20px;font-size:22px;font-weight:600;line-height:1.3',
  paragraph: 'margin:0 0 16px',
  link: 'color:inherit',
  action: 'margin:0 0 8px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;background-color:#4f46e5;' +
    'color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 20px;font-size:13px;opacity:0.75;word-break:break-all',
  code:
    'margin:0 0 20px;padding:16px;border:1px solid #8b8f9a;border-radius:8px;font-family:' +
    'ui-monospace,Menlo,Consolas,monospace;font-size:30px;font-weight:700;' +
    'line-height:1.2;text-align:center',
  quote: 'margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid #8b8f9a',
  list: 'margin:0 0 16px;padding-left:24px',
  item: 'margin:0 0 4px',
  rule: 'margin:32px 0 16px;border:0;border-top:1px solid #8b8f9a',
  footer: 'margin:0 0 4px;font-size:13px;opacity:0.75',
}

/** Title, greeting and parts; head and footer are added when it is sent. */
export function emailHtml({ subject, happened, todo }: EmailMessage, name: string | null): string {
  const title = html`<h1 style="${styles.title}">${subject.toString()}</h1>`
  const greeting = html`<p style="${styles.paragraph}">${greetingOf(name)}</p>`
  return [title, greeting, ...partsOf([...happened, ...todo])].map(({ text }) => text).join('\n')
}

/** Items that follow each other are one list. */
function partsOf(parts: readonly MailPart[]): Html[] {
  const made: Html[] = []
  let items: Html[] = []
  const endList = () => {
    if (items.length > 0) made.push(html`<ul style="${styles.list}">${items}</ul>`)
    items = []
  }
  for (const part of parts) {
    if (part instanceof Block && part.kind === 'item')
      items.push(html`<li style="${styles.item}">${part.text}</li>`)
    else {
      endList()
      made.push(part instanceof Block ? blockOf(part) : sentences(part))
    }
  }
  endList()
  return made
}

function sentences({ parts }: Words): Html {
  const shown = parts.map((part) => (part instanceof Link ? anchor(part.url) : part))
  return html`<p style="${styles.paragraph}">${shown}</p>`
}

function blockOf({ kind, text, url }: Block): Html {
  switch (kind) {
    case 'button':
      return html`<p style="${styles.action}">
<a href="${url}" style="${styles.button}">${text}</a></p>
<p style="${styles.address}">${anchor(url)}</p>`
    case 'code':
      return html`<p style="${styles.code}">${text}</p>`
    case 'quote':
      return html`<p style="${styles.quote}">${quotedLines(text)}</p>`
    case 'item':
      return html`<li style="${styles.item}">${text}</li>`
  }
}

function quotedLines(text: string): Html[] {
  const lines = text.split('\n').map((line) => html`<bdi>${line}</bdi>`)
  return lines.flatMap((line, i) => (i === 0 ? [line] : [html`<br>\n`, line]))
}

function anchor(url: string): Html {
  return html`<a href="${url}" style="${styles.link}">${url}</a>`
}

type DocumentParts = { subject: string; body: Html; footer: FooterFacts }

export function emailDocument({ subject, body, footer }: DocumentParts): string {
  const reasons = reasonsOf(footer).map((one) => html`<p style="${styles.footer}">${one}</p>`)
  const { text } = html`<!doctype html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
</head>
<body style="${styles.page}">
<div style="${styles.column}">
<p style="${styles.product}"><span style="${styles.mark}">A</span>Agent Registrar</p>
${body}
<hr style="${styles.rule}">
<p style="${styles.footer}">agent-registrar, ${anchor(footer.site_url)}</p>
${reasons}
</div>
</body>
</html>
`
  return text
}
