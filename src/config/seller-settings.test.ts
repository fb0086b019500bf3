// The seller on invoices and receipts, either as configured or as the sample of a sandbox.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './config.ts'

test('a sandbox has a sample seller unless any part of one is set, and production has none', () => {
  const sellerIn = (environment: Record<string, string>) => {
    const { invoice_seller_name, invoice_seller_address, invoice_seller_tax_id } =
      readSettings(environment)
    return [invoice_seller_name, invoice_seller_address, invoice_seller_tax_id]
  }
  for (const value of sellerIn({})) assert.match(value ?? '', /sample|not a real company/i)
  const INVOICE_SELLER_TAX_ID = 'DE123456789'
  assert.deepEqual(sellerIn({ INVOICE_SELLER_TAX_ID }), [null, null, INVOICE_SELLER_TAX_ID])
  assert.deepEqual(sellerIn({ ENVIRONMENT: 'production' }), [null, null, null])
})
