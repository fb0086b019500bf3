// Shell of every HTML page of the service: head, linked styles and scripts, and the policy that
// allows nothing else.
import { type Html, html } from '../kit/html.ts'
import { pageIcon, pageStyle, type StaticAsset } from './static-asset.ts'

type HtmlDocument = {
  title: string
  /** The description for search engines; without it, the page asks not to be indexed. */
  description?: string
  /** Styles that follow the page's common style, in this order. */
  styles?: readonly StaticAsset[]
  /** Scripts that run before the first paint, so that a chosen theme does not flash. */
  scripts?: readonly StaticAsset[]
  /** More elements of the head. */
  head?: Html
  body: Html
}

/** A whole page as text. */
export function htmlDocument(document: HtmlDocument): string {
  const { title, description, styles = [], scripts = [], head = null, body } = document
  const links = [pageStyle, ...styles].map(
    ({ path }) => html`<link rel="stylesheet" href="${path}">\n`,
  )
  const loaded = scripts.map(({ path }) => html`<script src="${path}"></script>\n`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${
  description === undefined
    ? html`<meta name="robots" content="noindex">`
    : html`<meta name="description" content="${description}">`
}
<title>${title}</title>
<link rel="icon" href="${pageIcon.path}" type="image/svg+xml">
${links}${loaded}${head}</head>
<body>
${body}
</body>
</html>
`.text
}

type PolicySources = {
  form_targets?: readonly string[]
  script_sources?: readonly string[]
  /** Whether its scripts send requests to this origin. */
  connects?: boolean
}

/**
 * The Content-Security-Policy of such a page, which allows only files of this origin and nothing
 * inline. Chrome checks every redirect after a submission against `form-action`, so their
 * destinations must be listed.
 */
export function pagePolicy(sources: PolicySources = {}): string {
  const { form_targets = [], script_sources = [], connects = false } = sources
  const targets = form_targets.length === 0 ? "'none'" : form_targets.join(' ')
  return [
    "default-src 'none'",
    ...(script_sources.length > 0 ? [`script-src ${script_sources.join(' ')}`] : []),
    ...(connects ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${targets}`,
    "frame-ancestors 'none'",
  ].join('; ')
}
