// Single sign-on: log-ins and sign-ups through identity providers, and the linked identities.
import { finishSso } from './callback.ts'
import { exchangeSsoTicket } from './exchange.ts'
import { linkIdentity, listIdentities, removeIdentity } from './identities.ts'
import { mailLinkCode } from './link.ts'
import { startSso } from './start.ts'

export { ticketCookieName } from './browser.ts'
export { accountOfTicket } from './sso.sql.ts'
/** Operations that pages without scripts call. */
export { exchangeSsoTicket, mailLinkCode, startSso }

export const operations = [
  startSso,
  finishSso,
  exchangeSsoTicket,
  mailLinkCode,
  listIdentities,
  linkIdentity,
  removeIdentity,
]
