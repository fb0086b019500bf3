// Parts of forms on our pages: fields with label, hint and problem, joined for screen readers.
import { type Html, html } from '../../kit/html.ts'

type TextField = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  autocomplete: string
  required?: boolean
  readonly?: boolean
  minlength?: number
  maxlength?: number
  /** Set for a field that takes a code of so many digits. */
  digits?: number
  hint?: string | null
  problem?: string | null
  focus?: boolean
}

export function textField(field: TextField): Html {
  const { name, label, type = 'text', value = '', hint = null, problem = null } = field
  const described = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean)
  const ids = described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : null
  const state = html`${problem && html` aria-invalid="true"`}${ids}${focusOf(field)}`
  return html`<div class="field">
<label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" value="${value}"
 autocomplete="${field.autocomplete}"${constraints(field)}${state}>
${problem && html`<p class="problem-text" id="${name}-problem">${problem}</p>`}
${hint && html`<p class="small" id="${name}-hint">${hint}</p>`}
</div>`
}

function focusOf({ focus = false }: TextField): Html | null {
  return focus ? html` autofocus` : null
}

function constraints(field: TextField): Html {
  const { required = true, readonly = false, minlength, maxlength, digits } = field
  return html`${required ? html` required` : null}${readonly ? html` readonly` : null}${
    minlength === undefined ? null : html` minlength="${minlength}"`
  }${maxlength === undefined ? null : html` maxlength="${maxlength}"`}${
    digits === undefined
      ? null
      : html` class="code" inputmode="numeric" pattern="[0-9 ]*" maxlength="${2 * digits}"`
  }`
}

/** The notice above the fields: what went wrong, as a sentence. */
export function problemNotice(words: string | null): Html | null {
  return words === null ? null : html`<div class="problem" id="problem" role="alert">${words}</div>`
}

/** A wait in words, as in "20 seconds" or "5 minutes". */
export function waitOf(seconds: number): string {
  if (seconds <= 90) return `${Math.max(1, Math.ceil(seconds))} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
