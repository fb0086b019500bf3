// Parked payments by their kind: in cryptocurrencies, checkouts by card, and reversals by card.
import { PageHeader } from '../../components/page-header.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { paymentsTexts as texts } from '../../messages/operator/payment-work-texts.ts'
import { CardCheckouts } from './card-checkouts.tsx'
import { CardReversals } from './card-reversals.tsx'
import { CryptoPayments } from './crypto-payments.tsx'

const tabs = [
  { value: 'crypto', label: texts.crypto, content: <CryptoPayments /> },
  { value: 'checkouts', label: texts.checkouts, content: <CardCheckouts /> },
  { value: 'reversals', label: texts.reversals, content: <CardReversals /> },
]

export default function ParkedPaymentsPage() {
  const { textOf, set } = useUrlFilters()
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <Tabs
        label={texts.kinds}
        value={textOf('kind') || 'crypto'}
        onChange={(kind) => set('kind', kind)}
        tabs={tabs}
      />
    </>
  )
}
