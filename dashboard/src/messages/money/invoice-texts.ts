// Texts of the page of invoices.
import { pageNames } from '../page-names.ts'

export const invoiceTexts = {
  title: pageNames.invoices,
  subtitle: 'A document for each payment and each charge.',
  receipts: 'The receipt of each purchase is in',
  statement: 'the statement of the balance',
  columns: {
    number: 'Number',
    issued: 'Issued',
    description: 'Description',
    amount: 'Amount',
    file: 'File',
  },
  kinds: { invoice: 'Invoice', credit_note: 'Credit note' },
  statuses: { open: 'Open', paid: 'Paid', void: 'Void' },
  due: (day: string) => `Due ${day}`,
  others: (count: number) => (count === 1 ? 'and 1 more line' : `and ${count} more lines`),
  download: 'PDF',
  downloadOf: (number: string) => `Download ${number} as PDF`,
  noFile: 'Once paid',
  downloadFailed: 'The PDF could not be downloaded',
  more: 'Show older invoices',
  shown: (count: number) => (count === 1 ? '1 document' : `${count.toLocaleString()} documents`),
  empty: {
    title: 'No invoices yet',
    text: 'Each payment to your balance gets an invoice here, with your billing contact on it.',
    action: 'Open the balance',
  },
} as const
