// Customers created through the service's API: with a key and, on request, money and a contact.
import { createDemoCustomer } from '../../src/start/demo-customer.ts'
import { operatorKey } from './programs.ts'

export type BenchCustomer = { id: string; key: string }

/** With `cents` 0, the customer gets neither money nor a contact. */
async function makeCustomer(url: string, number: number, cents: number): Promise<BenchCustomer> {
  const funded = cents > 0
  const { id, api_key } = await createDemoCustomer(
    { base_url: url, operator_key: operatorKey },
    {
      email: `customer-${number}@example.net`,
      name: `Customer ${number}`,
      contact: funded ? {} : null,
      funds: funded ? { cents, payment: `bench-${number}` } : null,
    },
  )
  return { id, key: api_key }
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

/** A further key of a customer. */
export async function makeKey(url: string, customer_id: string): Promise<string> {
  const response = await fetch(`${url}/v1/customers/${customer_id}/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: '{}',
  })
  if (response.status !== 201) throw new Error(`A key answered ${response.status}`)
  return String(Object(await response.json()).api_key)
}
