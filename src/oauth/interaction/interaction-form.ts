// The one form of each page of an interaction: its action, its hidden fields, and its cancellation.
import { type Html, html } from '../../kit/html.ts'
import { type PageResponse, pageAnswer } from '../shared/page-layout.ts'
import type { ShownClient } from './client-facts.ts'

/** The facts that all pages of an interaction show or send. */
export type InteractionView = ShownClient & {
  interaction: string
  csrf: string
  /** The name of this service, e.g. "registrar.example". */
  registrar: string
}

type FormPage = {
  title: string
  subtitle: Html | string | null
  body: Html
  status?: number
  /** Whether the title names a problem, for screen readers. */
  is_problem?: boolean
  retry_after_s?: number | null
  with_passkeys?: boolean
}

/** The page, with 200 or with the status with which it is shown again. */
export function formPage(view: InteractionView, page: FormPage): PageResponse {
  const { title, subtitle, body, is_problem = false, retry_after_s = null } = page
  return pageAnswer({
    status: page.status ?? (is_problem ? (retry_after_s === null ? 422 : 429) : 200),
    title: is_problem ? `Error: ${title}` : title,
    body: html`<h1>${title}</h1>
${subtitle === null ? null : html`<p class="subtitle">${subtitle}</p>`}
<form method="post" action="/oauth/authorize" class="stack">
<input type="hidden" name="interaction" value="${view.interaction}">
<input type="hidden" name="csrf" value="${view.csrf}">
${body}
</form>`,
    form_targets: [...new Set(["'self'", view.destination.csp_source])],
    with_passkeys: page.with_passkeys ?? false,
    headers: retry_after_s === null ? {} : { 'Retry-After': String(Math.ceil(retry_after_s)) },
  })
}

export const denyButton = html`<button name="decision" value="deny" formnovalidate>Deny</button>`
