// The email to an owner whose balance changes without a request of theirs: a payment was taken
// back, or counts again. Pure.
import { type Currency, formatAmount } from '../../../kit/money.ts'
import { button, type EmailMessage, type MailPart, paragraph, words } from '../../mail/index.ts'

type ReversalKind = 'refund' | 'dispute' | 'reorganisation' | 'reinstatement'
type Reversed = {
  id: string
  kind: ReversalKind
  currency: Currency
  /** The amount in minor units. */
  amount: bigint
  /** The part of the amount that was already spent, so that it is owed now. */
  shortfall: bigint
  description: string
}

export function reversalEmail(reversed: Reversed, dashboard_url: string): EmailMessage {
  const { id, kind, currency, shortfall, description } = reversed
  const money = (amount: bigint) => `${formatAmount(amount)} ${currency}`
  const amount = money(reversed.amount)
  const document = kind === 'reinstatement' ? 'invoice' : 'credit note'
  const documents = words`The ${document} is with your invoices.`
  const invoices = button(words`Open invoices`, `${dashboard_url}/invoices`)
  const owed = paragraph(
    words`Part of that money was already spent, so your account owes ${money(shortfall)}.`,
    words`Purchases are refused until it is paid; the next payment covers it first.`,
  )
  const short = `currency=${currency}&shortfall=${formatAmount(shortfall)}`
  const pay = button(words`Add money`, `${dashboard_url}/billing/top-up?${short}`)
  return {
    kind: 'payment_reversed',
    dedupe_key: `payment_reversed:${id}`,
    subject: subjects[kind](amount),
    happened: [
      sentences[kind](amount),
      words`On your statement: ${description}.`,
      ...(shortfall > 0n ? [owed] : []),
    ],
    todo: shortfall > 0n ? [pay, documents] : [documents, invoices],
  }
}

const subjects: Record<ReversalKind, (amount: string) => ReturnType<typeof words>> = {
  refund: (amount) => words`A payment was refunded: ${amount}`,
  dispute: (amount) => words`A payment was disputed: ${amount}`,
  reorganisation: (amount) => words`A payment is no longer on its network: ${amount}`,
  reinstatement: (amount) => words`A payment was reinstated: ${amount}`,
}

const sentences: Record<ReversalKind, (amount: string) => MailPart> = {
  refund: (amount) =>
    words`A payment to your account was refunded. ${amount} was taken from your balance.`,
  dispute: (amount) =>
    paragraph(
      words`A payment to your account was disputed with the card issuer.`,
      words`${amount} was taken from your balance. If the dispute is won, it is given back.`,
    ),
  reorganisation: (amount) =>
    paragraph(
      words`A payment that your account was credited with is no longer on its network.`,
      words`${amount} was taken from your balance. If it returns, it is credited again.`,
    ),
  reinstatement: (amount) =>
    words`A payment that was taken back was reinstated. ${amount} was added to your balance.`,
}
