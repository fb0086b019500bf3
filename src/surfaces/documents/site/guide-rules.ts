// Guides to the rules of all operations: authentication, money, idempotency, limits.
import { scopes } from '../../../app.ts'
import { type Html, html } from '../../../kit/html.ts'
import { scopeDescription } from '../../../oauth/interaction/scope-descriptions.ts'
import { moneyRule } from '../../descriptions/guide.ts'
import { codeBlock, type SiteParts, section } from './site-page.ts'

const dnsKey =
  '{"scopes": ["domains:read", "dns:write"],\n' +
  ' "dns": {"hosts": ["_acme-challenge*"], "types": ["TXT"]}}'

export function authenticationPage({ operations, settings }: SiteParts): Html {
  const { mcp_url, base_url } = settings
  const numberOf = (scope: string) => operations.filter(({ who }) => who.scope === scope).length
  return html`${section(
    'credentials',
    'Credentials',
    html`<p>All are sent as <code>Authorization: Bearer</code>; none is accepted in a URL.</p>
<dl class="terms">
<dt>API key</dt><dd>For a program. You choose its scopes and expiry; it works over REST and MCP. A
key never creates a
wider key. It is shown once and stored as a hash.</dd>
<dt>OAuth access token</dt><dd>For an app that you connected. It is short-lived, and valid at one
resource:
<code>${mcp_url}/mcp</code> or <code>${base_url}</code>.</dd>
<dt>Session</dt><dd>You in person, after a log-in. Operations that need it, such as changing the
password, refuse keys and
access tokens.</dd>
<dt>Operator key</dt><dd>For the operator of the service.</dd>
</dl>`,
  )}${section(
    'scopes',
    'Scopes',
    html`<p>A request whose token lacks the scope is 403 <a
href="/docs/errors#insufficient_scope"><code>insufficient_scope</code></a>,
and <code>WWW-Authenticate</code> names the scope. An object of another customer is 404, whatever
the scope. <code>domains:write</code> includes <code>dns:write</code>, so no token has both.</p>
<div class="wide" role="region" aria-label="Scopes" tabindex="0"><table><thead><tr><th
scope="col">Scope</th><th scope="col">Allows</th><th scope="col">Operations</th></tr></thead><tbody>
${scopes.map(
  (scope) =>
    html`<tr><th
scope="row">
<code>${scope}</code>
</th><td>${scopeDescription(scope)?.words ?? ''}</td><td>${numberOf(scope)}</td></tr>\n`,
)}</tbody></table></div>`,
  )}${section(
    'dns-limits',
    'A key for DNS records alone',
    html`<p>The limit <code>dns</code> of a key, or of a connected app, names the hosts and types
of DNS records that it
may change; for another record it is 403
<code>dns_record_not_allowed</code>. Hosts are relative to the domain; <code>*</code> stands for
any text, deeper labels too. With this body of
<code>POST /v1/customers/{customer_id}/api-keys</code> a program proves certificates by ACME (RFC
8555), and changes nothing else:</p>
${codeBlock('Body', dnsKey)}
<p>Changes of a protected domain wait for the owner’s approval, unless the owner set this limit in
a session (in the dashboard, or on the consent page) with hosts that are written out or begin with
<code>_acme-challenge</code>.</p>`,
  )}`
}

export function moneyPage(_parts: SiteParts): Html {
  return html`${section(
    'balance',
    'The balance',
    html`<p>${moneyRule} Purchases are paid from a prepaid balance, one for each currency.</p>
<dl class="terms">
<dt><code>available</code></dt><dd>What can be spent.</dd>
<dt><code>held</code></dt><dd>Reserved by orders that are not decided yet.</dd>
<dt><code>total</code></dt><dd>Both together.</dd>
</dl>
<p>No purchase takes <code>available</code> below zero: without enough money it is 402
<a href="/docs/errors#insufficient_funds"><code>insufficient_funds</code></a>, and
<code>missing</code> says how much of which currency has to be added. An agent with the scope
<code>billing:write</code> starts a payment with <code>create_top_up</code>; any other sends its
owner to <code>next_action.url</code>.</p>`,
  )}${section(
    'max-price',
    'A limit on the price: max_price',
    html`<p>Send the price that you saw as <code>max_price</code>. If the registry asks for more
at that moment, nothing is
bought, and the refusal shows the current price. Premium names have prices of their own; a price
of <code>null</code>
means that it is not known, never that the name costs nothing.</p>
${codeBlock('Body of a purchase', '{"domain": "my-agent.com", "max_price": "15.00"}')}
<p><code>dry_run: true</code> makes every check of a purchase, price and funds included, without
an order.</p>`,
  )}${section(
    'holds',
    'Holds',
    html`<p>An order reserves its price before anything is sent to the registry. The hold ends in
one of two ways: it is
captured when the registry shows what was bought, or released when the order has failed permanently.
While a registry is
silent the order stays open and the money stays held; the service finds out and settles it.</p>`,
  )}${section(
    'refunds',
    'Refunds',
    html`<p>A failed order costs nothing: its hold is released in full. No operation reverses a
completed purchase. A
refund that the operator makes is a transaction of the type <code>refund</code> on the
statement.</p>`,
  )}`
}

export function retriesPage(_parts: SiteParts): Html {
  return html`${section(
    'idempotency-key',
    'Idempotency-Key',
    html`<p>Send an <code>Idempotency-Key</code> of your own with each purchase (over MCP: the
argument
<code>idempotency_key</code>). The same request with the same key makes one order; a repetition
gets the first response
again, with <code>Idempotent-Replayed: true</code>.</p>
${codeBlock('Header of a purchase', 'Idempotency-Key: buy-my-agent-1')}
<ul>
<li>A key is remembered for 24 hours, and while its order is open: for one customer, route and
    body.</li>
<li>The same key with another body is 422.</li>
<li>While the first request still runs, a second is 409
<a href="/docs/errors#idempotency_key_in_use"><code>idempotency_key_in_use</code></a>.</li>
<li>Only a response that made an order is kept: after a 402, 422, 429 or 5xx the same key may be
used again.</li>
</ul>`,
  )}${section(
    'lost-response',
    'After a lost response',
    html`<p>Send the same request with the same key, or read the domain first. Without a key,
always read first: an
interrupted purchase may have succeeded. Never repeat a purchase under a new key while
<code>operation.state</code> is neither <code>succeeded</code> nor <code>failed</code>.</p>`,
  )}${section(
    'renewals',
    'Renewals',
    html`<p>Send the <code>expiry</code> that you read as <code>expected_expiry</code>: a renewal
that arrives twice is then
refused, even under another key.</p>`,
  )}${section(
    'which-errors',
    'Which errors to retry',
    html`<p>Those with <code>"retryable": true</code>, after <code>Retry-After</code> seconds,
with growing pauses and the
same idempotency key. All others need what <code>next_action</code> says. Reads and changes of a
domain (name servers,
locks, automatic renewal) may be repeated at any time; creating a contact or an API key again
makes a second one.</p>`,
  )}`
}

export function limitsPage({ settings }: SiteParts): Html {
  const rows: [string, number][] = [
    ['Requests with one API key, session or access token', settings.requests_per_minute],
    ['Requests from one address without a token', settings.anonymous_requests_per_minute],
    ['Requests from one address in all', settings.address_requests_per_minute],
    ['Names checked with one token', settings.names_per_minute],
    ['Names checked from one address without a token', settings.anonymous_names_per_minute],
  ]
  return html`${section(
    'limits',
    'Limits per minute',
    html`<div class="wide" role="region" aria-label="Limits" tabindex="0"><table><thead><tr><th
scope="col">What is counted</th><th scope="col">Limit</th></tr></thead><tbody>
${rows.map(
  ([what, limit]) =>
    html`<tr><th scope="row">${what}</th><td>${limit.toLocaleString('en')}</td></tr>\n`,
)}</tbody></table></div>
<p>A check of 20 names counts as 20 names and as one request. Attempts to log in, mails and
sign-ups have stricter
limits of their own.</p>`,
  )}${section(
    'headers',
    'Headers',
    html`<p>The response of an operation says what is left; one that reaches no operation (an
unknown route, a wrong method, an invalid token) does not. A 429
<a href="/docs/errors#rate_limited"><code>rate_limited</code></a> also says how long to wait.</p>
${codeBlock(
  'Headers of a response',
  [
    `RateLimit-Policy: "requests";q=${settings.requests_per_minute};w=60`,
    'RateLimit: "requests";r=42;t=30',
    'Retry-After: 30',
  ].join('\n'),
)}
<p><code>q</code> is the quota of a window of <code>w</code> seconds; <code>r</code> units remain
for <code>t</code>
seconds.</p>`,
  )}`
}
