// Customers created through the service's API: with a key and, on request, money and a contact.
import { operatorKey } from './programs.ts'

export type BenchCustomer = { id: string; key: string }

const contact = {
  name: 'Ada Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'London',
  state: 'England',
  country: 'GB',
  zip: 'SW1A 1AA',
  phone_country_code: '44',
  phone_number: '2079460123',
  default_registrant: true,
  default_admin: true,
  default_technical: true,
  default_billing: true,
}

type Json = Record<string, unknown>

async function post(url: string, body: object): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return Object(JSON.parse(text))
}

/** `cents` 0: neither money nor contact. */
async function makeCustomer(url: string, number: number, cents: number): Promise<BenchCustomer> {
  const { id } = await post(`${url}/v1/customers`, {
    email: `customer-${number}@example.net`,
    name: `Customer ${number}`,
  })
  const path = `${url}/v1/customers/${id}`
  const { api_key } = await post(`${path}/api-keys`, {})
  if (cents > 0) {
    await post(`${path}/contacts`, contact)
    await post(`${url}/v1/internal/billing/processor/top-ups`, {
      customer_id: id,
      amount_cents: cents,
      currency: 'USD',
      processor_checkout_session_id: `bench-${number}`,
    })
  }
  return { id: String(id), key: String(api_key) }
}

export async function makeCustomers(
  url: string,
  { count, cents }: { count: number; cents: number },
): Promise<BenchCustomer[]> {
  const made: BenchCustomer[] = []
  let next = 0
  const take = async () => {
    while (next < count) {
      next += 1
      made.push(await makeCustomer(url, next, cents))
    }
  }
  await Promise.all(Array.from({ length: 16 }, take))
  return made
}
