// Reads the receipt of a purchase, signed evidence that it was paid: GET
// /v1/operations/{id}/receipt.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import { identifier } from '../../../kit/schema.ts'
import { operationNotFound, receiptUnavailable } from '../faults.ts'
import { readReceipt, receiptFacts } from '../orders/receipts/receipt.ts'

export const getReceipt = operation({
  name: 'get_receipt',
  does: 'Read the signed receipt of a paid operation.',
  more:
    '"jws" has the same facts, signed (ES256, "typ": "receipt+jwt"), which anyone can verify ' +
    'with GET /v1/document-keys. It is signed anew each time that it is read.',
  at: 'GET /v1/operations/{id}/receipt',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({ id: identifier('ord', 'The id of the order.') }),
  gives: Type.Object(
    {
      ...receiptFacts.properties,
      jws: Type.String({ description: 'The receipt as a compact JWS.' }),
    },
    { title: 'ReceiptResponse' },
  ),
  fails: [operationNotFound, receiptUnavailable],
  effect: 'none',
  async run({ id }, call, app) {
    const { facts, jws } = await readReceipt(app, call, id)
    return { ...facts, jws }
  },
})
