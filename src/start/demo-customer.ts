// Creates a customer over the REST API, as an operator would, with an API key and, on request, a
// contact for all roles and a balance. The first start, benchmarks and tests use it.

type Json = Record<string, unknown>
type Post = { method: 'POST'; headers: Record<string, string>; body: string }
type Send = (url: string, post: Post) => Promise<{ status: number; text: string }>
/** `send`: with another HTTP client than `fetch`. */
type Operator = { base_url: string; operator_key: string; send?: Send }
type DemoOptions = {
  email: string
  name: string
  key?: { name?: string; scopes?: readonly string[] }
  /** Fields that differ from `demoContact`, or null for no contact. */
  contact?: Partial<typeof demoContact> | null
  /** `payment` identifies the top-up. */
  funds?: { cents: number; payment: string } | null
  /** Whether the owner is mailed a link to set a password. */
  password?: boolean
}
type DemoCustomer = {
  id: string
  api_key: string
  key_id: number
  contact_id: number | null
}

export const demoContact = {
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

export async function createDemoCustomer(
  operator: Operator,
  { email, name, key = {}, contact = null, funds = null, password = false }: DemoOptions,
): Promise<DemoCustomer> {
  const customer = await post(operator, '/v1/customers', { email, name })
  const id = String(customer.id)
  const path = `/v1/customers/${id}`
  if (funds)
    await post(operator, '/v1/internal/billing/processor/top-ups', {
      customer_id: id,
      amount_cents: funds.cents,
      currency: 'USD',
      processor_checkout_session_id: funds.payment,
    })
  const body = contact && { ...demoContact, ...contact }
  const contact_id = body && Number((await post(operator, `${path}/contacts`, body)).id)
  if (password) await post(operator, `${path}/password-setup`, {})
  // The key is shown once, so it comes last.
  const made = await post(operator, `${path}/api-keys`, key)
  return { id, api_key: String(made.api_key), key_id: Number(Object(made.key).id), contact_id }
}

async function post(operator: Operator, path: string, body: object): Promise<Json> {
  const { base_url, operator_key, send = sendByFetch } = operator
  const { status, text } = await send(`${base_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (status < 200 || status > 299) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return Object(JSON.parse(text))
}

const sendByFetch: Send = async (url, sending) => {
  const response = await fetch(url, sending)
  return { status: response.status, text: await response.text() }
}
