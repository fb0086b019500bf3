// The reference of errors has each declared fault with its status and next step, under an anchor of
// its code, to which problem documents link.
import type { Operation } from '../../../app.ts'
import { declaredFaults, type FaultType, kinds } from '../../../kit/fault.ts'
import { type Html, html } from '../../../kit/html.ts'
import { publicUrls } from '../../../origins.ts'
import { linesOf } from '../../descriptions/fields.ts'
import { faultsOf, plain } from '../../descriptions/operation-docs.ts'
import { codeBlock, type SiteParts, section } from './site-page.ts'

function problemExample(fault: FaultType, dashboard_url: string): string {
  const { code, kind, sentence, hint, next, page, retryable } = fault
  const { status, title } = kinds[kind]
  const problem = {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: sentence,
    code,
    retryable,
    next_action: { type: next, hint, url: page === null ? null : dashboard_url + page },
    request_id: '1f0c9f0e-6f0a-4b52-9f66-4a2a0a3cf6a1',
  }
  return JSON.stringify(problem, null, 2)
}

/** `pathOf` gives the page that describes an operation. */
export function errorReference(
  { operations, settings, faults = declaredFaults() }: SiteParts,
  pathOf: (operation: Operation) => string,
): Html {
  const { dashboard_url } = publicUrls(settings)
  const shown = faults.find(({ code }) => code === 'insufficient_funds') ?? null
  const groups = [...Map.groupBy(faults, ({ kind }) => kinds[kind].status)]
  return html`${section(
    'problem-documents',
    'Problem documents',
    html`<p>Every refusal but one is <code>application/problem+json</code> (RFC 9457).
<code>code</code> never changes its meaning, <code>retryable</code> says whether the same request
may work later, and
<code>next_action</code> names the next step, and its <code>url</code> the page of the dashboard
where the owner takes it, if there is one. Further facts, such as <code>price</code> or
<code>shortfall</code>, are listed with their code.
<code>X-Request-Id</code> identifies the request to
support.</p>${shown && codeBlock('Example', problemExample(shown, dashboard_url))}`,
  )}${section(
    'invalid-requests',
    'Invalid requests',
    html`<p>A request that violates its schema is 422 and has no code: <code>detail</code> lists
each invalid field with
its place (<code>loc</code>), the problem (<code>msg</code>) and its kind (<code>type</code>). An
unknown field is
invalid, too.</p>${codeBlock(
      'Example',
      '{"detail": [{"loc": ["body", "domain"], "msg": "Field required", "type": "missing"}]}',
    )}`,
  )}<nav class="code-index" aria-label="Codes">${groups
    .toSorted(([a], [b]) => a - b)
    .map(
      ([status, own]) =>
        html`<p><strong>${status}</strong> ${own.map(
          ({ code }) => html`<a href="#${code}"><code>${code}</code></a> `,
        )}</p>`,
    )}</nav>
${faults.map((fault) => faultSection(fault, operations, pathOf))}`
}

function faultSection(
  fault: FaultType,
  operations: readonly Operation[],
  pathOf: (operation: Operation) => string,
): Html {
  const { code, kind, sentence, hint, next, retryable } = fault
  const users = operations.filter((operation) => faultsOf(operation).includes(fault))
  return html`<section class="fault" aria-labelledby="${code}">
<h2 id="${code}"><code>${code}</code> <a class="anchor" href="#${code}"
aria-label="Link to ${code}">#</a></h2>
<p><span class="tag">${kinds[kind].status} ${kinds[kind].title}</span> <span
class="tag">${next}</span> ${retryable ? html`<span class="tag good">retryable</span>` : null}</p>
<p>${sentence}</p>
<p>${hint}</p>
${factsOf(fault)}${usersOf(users, operations, pathOf)}
</section>
`
}

/** The facts, each with its type, in the words of the field tables. */
function factsOf({ facts }: FaultType): Html | null {
  const lines = Object.entries(facts).flatMap(([name, schema]) =>
    linesOf(name, plain(schema), false).slice(0, 1),
  )
  if (lines.length === 0) return null
  return html`<ul class="small">${lines.map(
    ({ path, type, description }) => html`<li><code>${path}</code> (${type}) ${description}</li>`,
  )}</ul>
`
}

const many = 10

function usersOf(
  users: readonly Operation[],
  all: readonly Operation[],
  pathOf: (operation: Operation) => string,
): Html | null {
  if (users.length === 0) return null
  if (users.length === all.length) return html`<p class="small">Every operation.</p>`
  const links = users.map(
    (operation) => html`<a href="${pathOf(operation)}"><code>${operation.name}</code></a> `,
  )
  if (users.length <= many) return html`<p class="small">Operations: ${links}</p>`
  return html`<p class="small">${users.length} of ${all.length} operations; each lists its
errors.</p>`
}
