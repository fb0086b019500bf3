// One operation for readers: its effect, samples and response, fields, scope and errors.
import type { Operation } from '../../../app.ts'
import { askedForScopes } from '../../../capabilities/api-keys/index.ts'
import { type Html, html } from '../../../kit/html.ts'
import { fieldLines, type Line, linesOf } from '../../descriptions/fields.ts'
import {
  byStatus,
  faultsOf,
  plain,
  requestFields,
  type Schema,
  tokenOf,
  toolNames,
} from '../../descriptions/operation-docs.ts'
import {
  curlSample,
  exampleOf,
  mcpSamples,
  type RecordedExample,
  typescriptSample,
} from './code-samples.ts'
import { codeBlock, codeSamples, type Roots } from './site-page.ts'

export function operationSection(operation: Operation, roots: Roots): Html {
  const { name, method, path, does, more, status = 200 } = operation
  const tools = toolNames(operation)
  return html`<section class="operation" aria-labelledby="${name}">
<div class="words">
<h2 id="${name}"><code>${name}</code> <a class="anchor" href="#${name}"
aria-label="Link to ${name}">#</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span>
<code>${path}</code></p>
<p>${does}${more === undefined ? null : ` ${more}`}</p>
<dl class="facts"><div><dt>Access</dt><dd>${accessOf(operation)}</dd></div>${
    tools.length === 0
      ? null
      : html`<div><dt>MCP</dt><dd>${tools.map((tool) => html`<code>${tool}</code> `)}</dd></div>`
  }</dl>
${parameters(operation)}
<details class="fold"><summary>Response
${status}</summary>${responseFields(operation, status)}</details>
<details class="fold"><summary>Errors</summary>${errorsOf(operation)}</details>
</div>
<div class="code-column">${samplesOf(operation, roots)}</div>
</section>
`
}

function accessOf(operation: Operation): Html {
  const { who } = operation
  if (who.about === 'anyone') return html`Anyone, without a token`
  const scope =
    who.scope && html`<a href="/docs/authentication#scopes"><code>${who.scope}</code></a>`
  if (!scope || who.in_person) return html`${capitalised(tokenOf(operation))}`
  const operator = who.operator ? ', or an operator key' : ''
  const unusual = who.scope !== null && askedForScopes.includes(who.scope)
  const choice = unusual ? '; a key has it only where you choose it' : ''
  return html`Scope ${scope}${operator}${choice}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function parameters(operation: Operation): Html | null {
  const fields = requestFields(operation).flatMap(({ name, location, required, schema }) =>
    linesOf(name, schema, required).map((line) => ({ ...line, location })),
  )
  return fields.length === 0 ? null : html`<h3>Parameters</h3>${fieldList(fields)}`
}

function responseFields(operation: Operation, status: number): Html {
  if (status === 204) return html`<p>No body.</p>`
  const output: Schema = plain(operation.gives)
  const lines = output.items ? linesOf('', output, true).slice(1) : fieldLines(output)
  return lines.length === 0 ? html`<p>An object.</p>` : fieldList(lines)
}

const requiredTag = html` <span class="tag needed">required</span>`

function fieldList(lines: readonly (Line & { location?: string })[]): Html {
  return html`<ul class="fields">${lines.map(
    ({ path, type, required, description, location }) =>
      html`<li><code>${path}</code> <span class="type">${type}</span>${
        location === undefined ? null : html` <span class="tag">${location}</span>`
      }${required && location !== undefined ? requiredTag : null}${
        description === '' ? null : html`<p>${description}</p>`
      }</li>
`,
  )}</ul>`
}

function errorsOf(operation: Operation): Html {
  const codes = byStatus(faultsOf(operation)).map(
    ([status, faults]) =>
      html`<dt>${status}</dt><dd>${faults.map(
        ({ code }) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `,
      )}</dd>
`,
  )
  return html`<dl class="codes">${codes}<dt>422</dt><dd><a
href="/docs/errors#invalid-requests">Each invalid field</a></dd></dl>`
}

function samplesOf(operation: Operation, roots: Roots): Html | null {
  const example = exampleOf(operation)
  if (example === undefined) return null
  const { base_url } = roots
  const samples = [
    { label: 'curl', code: curlSample(operation, example, base_url) },
    { label: 'TypeScript', code: typescriptSample(operation, example, base_url) },
    ...mcpSamples(operation, roots).map((code) => ({ label: 'MCP', code })),
  ]
  return html`${codeSamples(merged(samples))}${answerOf(operation, example, base_url)}`
}

/** One sample for each language. */
function merged(samples: { label: string; code: string }[]) {
  const groups = [...Map.groupBy(samples, ({ label }) => label)]
  return groups.map(([label, own]) => ({ label, code: own.map(({ code }) => code).join('\n\n') }))
}

function answerOf(
  { status = 200 }: Operation,
  { answer }: RecordedExample,
  base_url: string,
): Html | null {
  if (answer === undefined)
    return html`<p class="small">The response is ${status}, without a body.</p>`
  const text = JSON.stringify(answer, null, 2).replaceAll('https://registrar.example', base_url)
  return codeBlock(`Response ${status}`, text)
}
