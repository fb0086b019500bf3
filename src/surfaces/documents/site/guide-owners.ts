// The guide for owners: letting an agent buy, within limits, and revoking that.
import { type Html, html } from '../../../kit/html.ts'
import { type SiteParts, section } from './site-page.ts'

export function ownersPage({ settings: { mcp_url, environment } }: SiteParts): Html {
  return html`${section(
    'begin',
    'Begin',
    html`<ol>
<li><a href="/dashboard/sign-up">Sign up</a>. Protect the account with a passkey under
<a href="/dashboard/account/security">Security</a>.</li>
<li>Add the <a href="/dashboard/contacts">contact</a> that will own the domains: your real name and
address. Registries require it, and no agent should invent it.</li>
<li><a href="/dashboard/billing/top-up">Add money</a>. It is prepaid: nothing can be spent that is
not there.${environment === 'sandbox' ? ' In the sandbox it is simulated.' : null}</li>
<li>Connect the agent: give it the URL <code>${mcp_url}/mcp</code>. It sends you to a page where you
log in and decide. <a href="/dashboard/connect">Connect an agent</a> has the set-up of the usual
programs.</li>
</ol>`,
  )}${section(
    'consent',
    'Consent',
    html`<p>The page of consent shows the program, where it will send you back to, and all that
it asks for. You
choose the permissions, and how much it may spend: the proposal is a cap, never the whole balance.
A program that asks for more later comes back to this page; it never gets more without your
consent.</p>`,
  )}${section('limits', 'Limits', limitsWords)}${section(
    'approvals',
    'Approvals',
    html`<p>With "Ask me above" a purchase waits for you. The agent gets a refusal with a link, you
get a mail, and the request is in <a href="/dashboard/approvals">Approvals</a>: the name, the
highest price, and until when. Once you approve, the service does exactly that and nothing else; at
a higher price it does nothing. No agent can approve, with any key. A key together with the
keys that it creates, or an app, can ask at most 100 times a day.</p>
<p>Under <a href="/dashboard/approvals/settings">Approval settings</a> you choose the amount above
which approving asks for a fresh log-in: 100.00 USD until you change it. To set a higher amount
needs a fresh log-in, too. There you also let a browser notify you, where the service offers it: the
notification opens the request and approves nothing. It ends when you log out in that browser.</p>
<p>A <em>protected</em> domain asks you, too, before it is unlocked, moved away, or given other name
servers. Protect it on its own page.</p>`,
  )}${section(
    'renewals',
    'Money for renewals',
    html`<p>Domains expire unless they are renewed. Turn on automatic renewal on the page of a
<a href="/dashboard/domains">domain</a>; it draws on the balance. Mails are sent 30 and 7 days
before a domain expires. <code>GET /v1/account/runway</code> shows how long the balance can renew
each domain.</p>`,
  )}${section(
    'watch',
    'Review',
    html`<p><a href="/dashboard/audit-log">Audit log</a> has every change: which program made it,
and
when. It is signed, and you can export and verify it: an alteration would show.
<a href="/dashboard/invoices">Invoices</a> has the documents of your payments, and the statement of
the <a href="/dashboard/balance">balance</a> the receipt of each purchase.</p>`,
  )}${section(
    'stop',
    'Stop an agent',
    html`<ul>
<li><a href="/dashboard/connected-apps">Connected apps</a>: disconnect it. Its tokens end within
seconds.</li>
<li><a href="/dashboard/api-keys">API keys</a>: revoke the key, and with it every key that it has
created.</li>
<li>Requests that wait for your approval end with the key that made them. Domains that were bought
stay yours.</li>
</ul>
<p>If you think that another person has your password, change it under
<a href="/dashboard/account/security">Security</a>, and write to
<a href="/dashboard/support">support</a>.</p>`,
  )}`
}

const limitsWords = html`<p>You set them on the page of consent, and change them at any time under
<a href="/dashboard/connected-apps">Connected apps</a> or
<a href="/dashboard/api-keys">API keys</a>. The agent can read them, and can never widen them.</p>
<dl class="terms">
<dt>Spending limit</dt><dd>The most in a day, a month, or in all. It is checked in the same
moment as
the balance, so that purchases at the same time cannot exceed it together.</dd>
<dt>Highest price</dt><dd>The most that one purchase may cost.</dd>
<dt>Ask me above</dt><dd>More expensive purchases wait for your <a
href="#approvals">approval</a>.</dd>
<dt>Endings and domains</dt><dd>Only names such as <code>*.com</code> or <code>shop-*.net</code>.
The
agent does not see the others; you choose whether a purchase outside is refused or asks you.</dd>
<dt>Addresses and end</dt><dd>Where the agent may call from, and until when.</dd>
</dl>
<p>An agent that creates a key for another program can grant only what it has itself, and the
spending of that program counts against both.</p>`
