// The customers of the simulated Openprovider, by handle.
import type { Account } from './account.ts'
import { type Fields, fieldsOf, mustHave, text } from './field-parser.ts'
import type { Customer, Handles } from './records.ts'
import { type Code, Refused } from './refusal.ts'

function texts(value: unknown, names: string[]): Record<string, string> {
  const fields = fieldsOf(value)
  return Object.fromEntries(names.map((name) => [name, text(fields, name)]))
}

const NAMES = ['first_name', 'last_name', 'initials', 'prefix', 'full_name']
const NUMBERS = ['country_code', 'area_code', 'subscriber_number']
const PLACES = ['street', 'number', 'suffix', 'zipcode', 'city', 'state', 'country']

type Facts = Pick<Customer, 'email' | 'phone' | 'address'>

function factsOf(body: Fields): Facts {
  const phone = texts(body.phone, NUMBERS)
  const address = texts(body.address, PLACES)
  mustHave(address, 'street', 110)
  mustHave(address, 'city', 117)
  if (!/^[A-Z]{2}$/.test(address.country ?? '')) throw new Refused(121)
  if (!/^\+\d{1,3}$/.test(phone.country_code ?? '')) throw new Refused(130)
  mustHave(phone, 'area_code', 132)
  mustHave(phone, 'subscriber_number', 134)
  const email = text(body, 'email')
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw new Refused(146)
  return { email, phone, address }
}

export function createCustomer({ store }: Account, body: Fields): { handle: string } {
  const name = texts(body.name, NAMES)
  const first = mustHave(name, 'first_name', 102)
  const last = mustHave(name, 'last_name', 105)
  const facts = factsOf(body)
  const id = store.next('customer')
  const initials = `${first[0]}${last[0]}`.toUpperCase().replace(/[^A-Z]/g, 'X')
  const handle = `${initials}${String(900_000 + id)}-${facts.address.country}`
  const comments = text(body, 'comments')
  const company_name = text(body, 'company_name')
  store.tables.customer.put(handle, { id, handle, comments, company_name, name, ...facts })
  return { handle }
}

/** Changes everything but the name and the company. */
export function updateCustomer({ store }: Account, handle: string, body: Fields): object {
  const customer = store.tables.customer.get(handle)
  if (!customer) throw new Refused(176)
  const facts = body.email === undefined ? {} : factsOf(body)
  const comments = body.comments === undefined ? customer.comments : text(body, 'comments')
  store.tables.customer.put(handle, { ...customer, ...facts, comments })
  return { success: true }
}

/** Customers by `comment_pattern`: a part of the comments, in which * matches anything. */
export function listCustomers({ store }: Account, query: URLSearchParams): object {
  const parts = (query.get('comment_pattern') ?? '').toLowerCase().split('*')
  const all = [...store.tables.customer.values()]
  const results = all.filter(({ comments }) => hasInOrder(comments, parts))
  const limit = Number(query.get('limit') ?? 100)
  return results.length === 0 ? {} : { results: results.slice(0, limit), total: results.length }
}

function hasInOrder(comments: string, parts: string[]): boolean {
  const all = comments.toLowerCase()
  let from = 0
  for (const part of parts) {
    const at = all.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

const WRONG = {
  owner_handle: 331,
  admin_handle: 333,
  tech_handle: 335,
  billing_handle: 373,
} as const satisfies Record<keyof Handles, Code>

/** The handles of an order, each of which must belong to a customer. */
export function handlesOf({ store }: Account, body: Fields): Handles {
  const handle = (role: keyof Handles) => {
    const given = text(body, role)
    if (!store.tables.customer.get(given)) throw new Refused(WRONG[role])
    return given
  }
  return {
    owner_handle: handle('owner_handle'),
    admin_handle: handle('admin_handle'),
    tech_handle: handle('tech_handle'),
    billing_handle: text(body, 'billing_handle') === '' ? '' : handle('billing_handle'),
  }
}
