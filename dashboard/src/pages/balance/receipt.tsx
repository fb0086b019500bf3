// The receipt of a purchase, beside the line of its payment.
import { downloadReceipt, type LedgerTransaction } from 'sdk'
import { DownloadButton } from '../../components/download-button.tsx'
import { answerOf } from '../../lib/api.ts'
import { toUnicode } from '../../lib/domains/idn.ts'
import { balanceTexts } from '../../messages/balance-texts.ts'

const texts = balanceTexts.statement

/** Renders nothing for a line that is not the payment of an order. */
export function Receipt({ line }: { line: LedgerTransaction }) {
  const { type, operation_id: id, domain } = line
  if (type !== 'capture' || id === null) return null
  return (
    <div className="mt-1.5">
      <DownloadButton
        file={`receipt-${id}.pdf`}
        load={() => answerOf(downloadReceipt({ path: { id }, parseAs: 'blob' }))}
        label={texts.receiptOf(toUnicode(domain ?? id))}
        failed={texts.receiptFailed}
      >
        {texts.receipt}
      </DownloadButton>
    </div>
  )
}
