// The contacts room: who domains belong to and who answers for them.
import { createContact } from './create.ts'
import { deleteContactHandle } from './delete.ts'
import { listContactCountries, listContactStates } from './places.ts'
import { getContact, listContacts } from './read.ts'
import { reconcileProviderClient } from './reconcile.ts'
import { refreshProviderClients } from './refresh-clients.job.ts'
import { syncContacts } from './sync-contacts.job.ts'
import { updateContactHandle } from './update.ts'

export { type ContactIds, type ContactWishes, chosenContacts } from './choose.ts'
export { type ContactRole, contactRoles } from './domain.ts'
export { eppVoice } from './phone.ts'
export { type AtRegistry, type ContactKey, contactForRegistry } from './registry.ts'

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
