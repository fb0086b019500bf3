// The Openprovider adapter of the registry port: its REST API v1beta, for operators who resell.

import type { OpenproviderProfile, Outcome, Registry } from '../port.ts'
import {
  answerTransfer,
  readAuthInfo,
  remove,
  renewAuthInfo,
  update,
} from './openprovider-changes.ts'
import { check, prices } from './openprovider-check.ts'
import { type OpenproviderParts, openLink } from './openprovider-connection.ts'
import { putContact } from './openprovider-contacts.ts'
import { refuse, register, renew, requestTransfer, restore } from './openprovider-domains.ts'
import { read, transferQuery } from './openprovider-read.ts'

const done: Outcome<null> = { kind: 'done', value: null, sv_trid: null }

/**
 * Opens a reseller's account. It logs in at the first command, over HTTPS. Openprovider has no
 * idempotency, so an order is never sent twice from here (docs/decisions/0012-openprovider.md).
 */
export function openOpenproviderRegistry(
  profile: OpenproviderProfile,
  parts: OpenproviderParts,
): Registry {
  const link = openLink(profile, parts)
  return {
    profile,
    hosts: { own_hosts_later: false, one_address_of_a_kind: true, transfer_names_them: true },
    sends_auth_info: false,
    resends: {
      register: 'after_read',
      renew: 'never',
      transfer: 'after_read',
      restore: 'after_read',
    },
    check: (names, options) => check(link, names, options),
    register: (command, attempt) => register(link, command, attempt),
    renew: (command, attempt) => renew(link, command, attempt),
    transferRequest: (command, attempt) => requestTransfer(link, command, attempt),
    transferQuery: (domain, priority) => transferQuery(link, domain, priority),
    transferCancel: async () =>
      refuse('unsupported', 'Openprovider cannot cancel a transfer; it ends without our action'),
    transferApprove: (domain, attempt) => answerTransfer(link, { domain, approve: true }, attempt),
    transferReject: (domain, attempt) => answerTransfer(link, { domain, approve: false }, attempt),
    update: (command, attempt) => update(link, command, attempt),
    renewAuthInfo: ({ domain }, attempt) => renewAuthInfo(link, domain, attempt),
    readAuthInfo: (domain, priority) => readAuthInfo(link, domain, priority),
    restore: (command, attempt) => restore(link, command, attempt),
    // They write the report of RFC 3915 themselves.
    restoreReport: async () => done,
    delete: (domain, attempt) => remove(link, domain, attempt),
    read: (domain, priority) => read(link, domain, priority),
    putContact: (contact, priority) => putContact(link, contact, priority),
    // Hosts are texts there instead of objects.
    ensureHosts: async () => done,
    deleteHosts: async () => done,
    prices: (tlds) => prices(link, tlds),
    // There is no queue, so changes are found only by the domain sync.
    poll: async () => ({ kind: 'done', value: null, sv_trid: null }),
    ack: async () => done,
    health: () => link.health(),
    close: () => link.close(),
  }
}
