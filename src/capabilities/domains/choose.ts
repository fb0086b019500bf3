// Name servers and contacts of a purchase: what the request names, else the account's, else the
// service's.
import type { App, Call } from '../../app.ts'
import { defaultNameserversOf, foldNameservers } from '../account/index.ts'
import { type ContactRole, chosenContacts, contactRoles } from '../contacts/index.ts'
import { registrantRequired } from './faults.ts'
import type { RegisterOrder } from './order.ts'

export type Wishes = {
  nameservers?: string[]
  contacts?: Partial<Record<ContactRole, number>>
  contact?: number | string | null
}
export type Choice = Pick<RegisterOrder, 'nameservers' | 'contacts'>

/**
 * Throws 422 for a name server or contact that is not one, 409 registrant_required when there is no
 * registrant.
 */
export async function choose(app: App, call: Call, wishes: Wishes): Promise<Choice> {
  const [nameservers, contacts] = await Promise.all([
    chooseNameservers(app, call, wishes),
    chooseContacts(call, wishes),
  ])
  return { nameservers, contacts }
}

async function chooseNameservers(app: App, call: Call, { nameservers }: Wishes): Promise<string[]> {
  if (nameservers) return foldNameservers('nameservers', nameservers)
  const account = await defaultNameserversOf(call.sql, call.customer_id)
  return account.length > 0 ? account : app.settings.default_nameservers
}

async function chooseContacts(call: Call, wishes: Wishes): Promise<Choice['contacts']> {
  const { named, defaults } = await chosenContacts(call.sql, call.customer_id, wishes)
  const chosen: Choice['contacts'] = {}
  for (const role of contactRoles) {
    const id = named[role] ?? defaults[role]
    if (id !== undefined) chosen[role] = id
  }
  if (chosen.registrant === undefined) throw registrantRequired()
  return chosen
}
