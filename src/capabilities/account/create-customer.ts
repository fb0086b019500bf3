// Creates a customer; operators only, as people sign up in the dashboard.
import Type from 'typebox'
import { operation, operatorOnly } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { newId } from '../../kit/random.ts'
import { nullable } from '../../kit/schema.ts'
import { customerOf, customerResponse } from './customer.ts'
import { insertCustomer } from './customers.sql.ts'
import { emailTaken } from './faults.ts'

export const createCustomer = operation({
  name: 'create_customer',
  does: 'Create a customer account.',
  more:
    'The account has no key and no password yet: create an API key for it, or let its owner set ' +
    'a password.',
  at: 'POST /v1/customers',
  area: 'Account and customers',
  who: operatorOnly(),
  takes: Type.Object(
    {
      email: Type.String({
        minLength: 3,
        maxLength: 320,
        description: 'Each address can have one account.',
      }),
      name: Type.String({ minLength: 1, maxLength: 200, description: 'A person or a team.' }),
      company_name: Type.Optional(
        nullable(Type.String({ maxLength: 200, description: 'The company, if any.' })),
      ),
    },
    { title: 'CreateCustomerRequest' },
  ),
  gives: customerResponse,
  status: 201,
  fails: [emailTaken],
  effect: 'transaction',
  target: (_input, customer) => ({
    target_type: 'customer',
    target: customer?.id ?? null,
    customer_id: customer?.id ?? null,
  }),
  async run(input, call, app) {
    const reading = new FieldReader()
    const email = reading.email('email', input.email)
    const name = reading.line('name', input.name)
    const company = reading.optionalLine('company_name', input.company_name)
    reading.finish()
    const now = app.clock.now()
    const row = await call.sql.maybe(insertCustomer, {
      id: newId('cus', now.getTime()),
      email,
      email_verified: false,
      name,
      company_name: company,
      now,
    })
    if (!row) throw emailTaken()
    return customerOf(row)
  },
})
