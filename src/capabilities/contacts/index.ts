// Contacts: registrant, admin, technical and billing contacts of domains.
import { createContact } from './operations/create-contact.ts'
import { deleteContactHandle } from './operations/delete-contact.ts'
import { listContactCountries, listContactStates } from './operations/list-countries.ts'
import { getContact, listContacts } from './operations/read-contacts.ts'
import { reconcileProviderClient } from './operations/reconcile-provider-client.ts'
import { updateContactHandle } from './operations/update-contact.ts'
import { refreshProviderClients } from './registry/refresh-provider-clients.job.ts'
import { syncContacts } from './registry/sync-contacts.job.ts'

export { type ContactRole, contactRoles } from './contact.ts'
export { countryNameOf } from './fields/countries.ts'
export { eppVoice } from './fields/phone.ts'
export { updateContactHandle } from './operations/update-contact.ts'
export {
  type ContactIds,
  namedContacts,
  type RequestedContacts,
  usableContact,
} from './order-contacts.ts'
export {
  type AtRegistry,
  type ContactKey,
  contactForRegistry,
} from './registry/registry-contact.ts'

export const operations = [
  getContact,
  listContacts,
  createContact,
  updateContactHandle,
  deleteContactHandle,
  listContactCountries,
  listContactStates,
  reconcileProviderClient,
]
export const jobs = [syncContacts, refreshProviderClients]
