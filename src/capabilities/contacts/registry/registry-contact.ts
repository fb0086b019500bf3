// A contact as a registry's contact object, and whether the registry has its current version.
import { createHash } from 'node:crypto'
import type { RegistryContact } from '../../../adapters/registry/port.ts'
import type { Sql } from '../../../db/database.ts'
import { type CustomerId, newAuthInfo } from '../../../kit/random.ts'
import { contactAtRegistry, markSynced } from '../contacts.sql.ts'
import { withoutAccents } from '../fields/ascii.ts'
import type { Facts } from '../fields/contact-fields.ts'
import { eppVoice } from '../fields/phone.ts'

/**
 * `synced` is true if the registry has it as it is. Otherwise put it there and call `markSynced`.
 */
export type AtRegistry = {
  contact: RegistryContact
  version: bigint
  /** The digest of the facts, which changes with the contact or its facts. */
  digest: string
  synced: boolean
  markSynced: (sql?: Sql) => Promise<void>
}
export type ContactKey = { contact_id: bigint; customer_id: CustomerId; registry: string }

/** Throws for a missing contact: an open order prevents its deletion. */
export async function contactForRegistry(sql: Sql, key: ContactKey): Promise<AtRegistry> {
  const known = await contactIfThere(sql, key)
  if (known) return known
  throw new Error(`Contact ${key.contact_id} of ${key.customer_id} is in use, and missing`)
}

/** Undefined for a deleted contact. */
export async function contactIfThere(sql: Sql, key: ContactKey): Promise<AtRegistry | undefined> {
  const { contact_id, customer_id, registry } = key
  const row = await sql.maybe(contactAtRegistry, { customer_id, id: contact_id, registry })
  if (!row) return undefined
  const id = row.registry_contact_id ?? registryContactId(contact_id, customer_id)
  const { version, digest } = row
  return {
    contact: registryContactOf(id, row),
    version,
    digest,
    synced: row.synced_version !== null && row.synced_version >= version,
    markSynced: async (within = sql) => {
      await within.count(markSynced, {
        contact_id,
        registry,
        registry_contact_id: id,
        synced_version: version,
      })
    },
  }
}

/**
 * The id of a contact object (RFC 5730 clIDType: 3 to 16 characters): recognizable as ours, and
 * different for another customer's contact, should the numbers begin again in a new database.
 */
export function registryContactId(contact_id: bigint, customer_id: CustomerId): string {
  const digest = createHash('sha256').update(`${customer_id}/${contact_id}`).digest()
  const mark = (digest.readUInt32BE(0) % 36 ** 4).toString(36).padStart(4, '0')
  return `AR${contact_id.toString(36)}-${mark}`.toUpperCase()
}

const longestLine = 255
const longestZip = 16

/**
 * Removes accents, so that the form that every registry accepts (int, ASCII) suffices if possible.
 */
export function registryContactOf(id: string, facts: Facts): RegistryContact {
  const line = (text: string) => withoutAccents(text).slice(0, longestLine).trim()
  const optional = (text: string | null) => (text === null ? null : line(text))
  return {
    id,
    name: line(facts.name),
    organization: optional(facts.company_name),
    street: streetOf(facts),
    city: line(facts.city),
    state: line(facts.state),
    // No real code is longer; the schema of RFC 5733 takes 16.
    postal_code: withoutAccents(facts.zip).slice(0, longestZip).trim(),
    country_code: facts.country,
    voice: eppVoice(facts),
    email: facts.email,
    // Required by RFC 5733; it is never disclosed, and each update sets another.
    auth_info: newAuthInfo('alphanumeric'),
  }
}

/** At most three lines of 255 characters, broken between words where there is a space. */
function streetOf({ address, address_line_2 }: Facts): string[] {
  return [address, ...(address_line_2 === null ? [] : [address_line_2])]
    .map(withoutAccents)
    .flatMap(broken)
    .slice(0, 3)
}

function broken(text: string): string[] {
  if (text.length <= longestLine) return [text]
  const space = text.lastIndexOf(' ', longestLine)
  const at = space > 0 ? space : longestLine
  return [text.slice(0, at).trim(), ...broken(text.slice(at).trim())]
}
