// Facts about the client for the pages: its own statements are marked as such, apart from our text,
// beside the actual destination of the browser.
import { type Html, html } from '../../kit/html.ts'
import type { ClientDisplay, Destination } from '../shared/display-name.ts'

export type ShownClient = { client: ClientDisplay; destination: Destination }

/** `more` are further facts, which the user can open. */
export function clientFacts({ client, destination }: ShownClient, more: Html | null): Html {
  return html`<div class="facts"><dl>
<div><dt class="unverified">App name (not verified)</dt>
<dd><strong class="claimed-name"><bdi>${client.name}</bdi></strong></dd></div>
<div><dt>${destination.kind === 'device' ? 'Access goes to' : 'You will be redirected to'}</dt>
<dd>${destinationText(destination)}</dd></div>
</dl>
${more}</div>`
}

function destinationText({ kind, host }: Destination): Html {
  switch (kind) {
    case 'computer':
      return html`an app on this computer (${host})`
    case 'app':
      return html`an app on this computer that opens <bdi>${host}</bdi> links`
    case 'device':
      return html`the device or terminal whose code you entered`
    case 'site':
      return html`${host}`
  }
}
