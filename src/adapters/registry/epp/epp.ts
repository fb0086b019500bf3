// The EPP adapter of the registry port: one registry by its profile.
import type { Command } from '../../../epp/commands/command.ts'
import {
  type TransferData,
  type TransferNameInput,
  transferApprove,
  transferCancel,
  transferQuery,
  transferReject,
} from '../../../epp/commands/domain-transfer.ts'
import type { Attempt, EppProfile, Registry } from '../port.ts'
import { check, prices } from './epp-check.ts'
import { type EppParts, type How, mapDone, openLink } from './epp-connection.ts'
import {
  read,
  register,
  remove,
  renew,
  reportRestore,
  requestTransfer,
  restore,
  toRegistryTransfer,
  update,
} from './epp-domains.ts'
import { deleteHosts, ensureHosts, putContact, readGlue } from './epp-objects.ts'
import { ack, poll } from './epp-poll.ts'

/**
 * Opens a registry that speaks EPP (RFC 5730-5734, 3915, 8748, 8807, 9154). Connects at the first
 * command; keeps its sessions until `close()`, which lets running commands finish and logs out.
 */
export function openEppRegistry(profile: EppProfile, parts: EppParts): Registry {
  const link = openLink(profile, parts)
  const transfer = async (
    command: Command<TransferNameInput, TransferData>,
    domain: string,
    how: How,
  ) => mapDone(await link.send(command, { name: domain, auth_info: null }, how), toRegistryTransfer)
  const by = (attempt: Attempt): How => ({ priority: attempt.priority, attempt })
  return {
    profile,
    hosts: {
      own_hosts_later: profile.host_model === 'hostObj',
      one_address_of_a_kind: false,
      transfer_names_them: false,
    },
    resends: { register: 'fenced', renew: 'fenced', transfer: 'fenced', restore: 'fenced' },
    check: (names, options) => check(link, names, options),
    register: (command, attempt) => register(link, command, attempt),
    renew: (command, attempt) => renew(link, command, attempt),
    transferRequest: (command, attempt) => requestTransfer(link, command, attempt),
    transferQuery: (domain, priority) => transfer(transferQuery, domain, { priority }),
    transferCancel: (domain, attempt) => transfer(transferCancel, domain, by(attempt)),
    transferApprove: (domain, attempt) => transfer(transferApprove, domain, by(attempt)),
    transferReject: (domain, attempt) => transfer(transferReject, domain, by(attempt)),
    update: (command, attempt) => update(link, command, attempt),
    async renewAuthInfo({ domain, wanted }, attempt) {
      const set = await update(link, { domain, auth_info: wanted }, attempt)
      return mapDone(set, () => ({ auth_info: wanted }))
    },
    restore: (command, attempt) => restore(link, command, attempt),
    restoreReport: (report, attempt) => reportRestore(link, report, attempt),
    delete: (domain, attempt) => remove(link, domain, attempt),
    read: (domain, priority) => read(link, domain, priority),
    putContact: (contact, priority) => putContact(link, contact, priority),
    ensureHosts: (hosts, priority, glue = {}) => ensureHosts(link, { hosts, glue }, priority),
    deleteHosts: (domain, priority) => deleteHosts(link, domain, priority),
    readGlue: (hosts, priority) => readGlue(link, hosts, priority),
    prices: (tlds) => prices(link, tlds),
    poll: () => poll(link),
    ack: (id) => ack(link, id),
    health: () => link.pool.health(),
    close: () => link.pool.close(),
  }
}
