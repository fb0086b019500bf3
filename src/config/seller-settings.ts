// Settings of the seller on invoices and receipts, and the sample seller of a sandbox.
import { optional } from './readers.ts'
import { setting } from './setting.ts'

export function sellerSettings() {
  const unset = (name: string, meaning: string) => setting(name, optional, { preset: '', meaning })
  return {
    invoice_seller_name: unset(
      'INVOICE_SELLER_NAME',
      'The legal name of the seller on invoices and receipts. A sandbox where none of the three ' +
        'is set has a sample.',
    ),
    invoice_seller_address: unset('INVOICE_SELLER_ADDRESS', 'Its address; lines with semicolons.'),
    invoice_seller_tax_id: unset('INVOICE_SELLER_TAX_ID', 'Its tax id, such as a VAT number.'),
  }
}

type Seller = {
  invoice_seller_name: string | null
  invoice_seller_address: string | null
  invoice_seller_tax_id: string | null
}

const sample: Seller = {
  invoice_seller_name: 'Sample Registrar Ltd',
  invoice_seller_address: '1 Sample Street; 12345 Sampleton; Not a real company',
  invoice_seller_tax_id: 'SAMPLE-123456789',
}

/** The seller as configured, even if only in part, or else the sample in the sandbox. */
export function sellerOrSample(all: Seller & { environment: 'sandbox' | 'production' }): Seller {
  const { invoice_seller_name, invoice_seller_address, invoice_seller_tax_id } = all
  const set = { invoice_seller_name, invoice_seller_address, invoice_seller_tax_id }
  const isSet = Object.values(set).some((value) => value !== null)
  return isSet || all.environment === 'production' ? set : sample
}
