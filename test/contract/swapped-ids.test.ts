// Identifiers of one noun in place of another's do not compile (src/kit/random.ts), in the
// statements and types of money and rights. Where one is swapped all the same, nothing is found.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approvalOfCustomer } from '../../src/capabilities/approvals/approvals.sql.ts'
import { orderWithRefunds } from '../../src/capabilities/bookkeeping/corrections/corrections.sql.ts'
import { holdingByName } from '../../src/capabilities/domains/holdings/holdings.sql.ts'
import type { Placement, Settlement } from '../../src/capabilities/domains/orders/order-batcher.ts'
import { openOrder, orderById } from '../../src/capabilities/domains/orders/orders.sql.ts'
import { limitsOfCaller, limitsOfCustomer } from '../../src/capabilities/limits/limits.sql.ts'
import type { Params } from '../../src/db/statement.ts'
import { type DomainName, newId } from '../../src/kit/random.ts'
import { readBalance, readDebts } from '../../src/ledger/ledger.ts'
import { testDatabase } from '../support/database.ts'

const { database } = await testDatabase()
const customer = newId('cus')
const order = newId('ord')
const name: DomainName = 'swapped.com'

describe('a swap of identifiers is refused by the compiler', () => {
  it('of an order and its customer, which finds no order', async () => {
    // @ts-expect-error the customer as the order
    const found = await database.maybe(orderById, { id: customer, customer_id: customer })
    // @ts-expect-error the order as the customer
    const owned = await database.maybe(orderById, { id: order, customer_id: order })
    // @ts-expect-error the customer as the domain
    const open = await database.maybe(openOrder, { domain: customer, customer_id: customer })
    assert.deepEqual([found, owned, open], [undefined, undefined, undefined])
  })

  it('of a placement and a settlement', () => {
    // @ts-expect-error the customer as the order
    const placed: Pick<Placement, 'id'> = { id: customer }
    // @ts-expect-error the order as the customer
    const settled: Pick<Settlement, 'customer_id'> = { customer_id: order }
    assert.deepEqual([placed.id, settled.customer_id], [customer, order])
  })

  it('of a balance, which is empty', async () => {
    // @ts-expect-error the order as the customer
    assert.equal((await readBalance(database, order, 'USD')).available, 0n)
    // @ts-expect-error the domain as the customer
    assert.deepEqual(await readDebts(database, name), [])
    // @ts-expect-error the customer as the order to refund
    assert.equal(await database.maybe(orderWithRefunds, { id: customer }), undefined)
  })

  it('of a holding, which is not found', async () => {
    // @ts-expect-error the order as the customer
    const owned = await database.maybe(holdingByName, { customer_id: order, name })
    // @ts-expect-error the customer as the name
    const held = await database.maybe(holdingByName, { customer_id: customer, name: customer })
    assert.deepEqual([owned, held], [undefined, undefined])
  })

  it('of limits, which are none', async () => {
    // @ts-expect-error the order as the customer
    assert.deepEqual(await database.run(limitsOfCustomer, { customer_id: order }), [])
    // @ts-expect-error the customer as the consent
    const by: Params<'limits_of_caller'> = { api_key_id: null, oauth_grant_id: customer }
    assert.deepEqual(await database.run(limitsOfCaller, by), [])
  })

  it('of an approval, which is not found', async () => {
    // @ts-expect-error the order as the approval
    const found = await database.maybe(approvalOfCustomer, { id: order, customer_id: customer })
    // @ts-expect-error the order as the customer
    const owned = await database.maybe(approvalOfCustomer, { id: newId('apr'), customer_id: order })
    assert.deepEqual([found, owned], [undefined, undefined])
  })
})
