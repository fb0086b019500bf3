// HTML templates: inserted text is escaped, unless it is HTML already.

/** HTML that is safe to put into a page. Only this file makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[] | null

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
  return part.map(textOf).join('')
}

/** A template: html`<p>${text}</p>`. Attributes need their quotes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, i) => text + textOf(parts[i] ?? null)).join(''))
}
