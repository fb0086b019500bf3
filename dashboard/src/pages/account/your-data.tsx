// Your data: an export of all of it, and closing the account.
import { exportAccount } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { answerOf } from '../../lib/api.ts'
import { saveFile } from '../../lib/csv.ts'
import { dayKey } from '../../lib/format.ts'
import { showToast } from '../../lib/toasts.ts'
import { yourDataTexts } from '../../messages/account/your-data-texts.ts'
import { AccountSections } from './account-sections.tsx'
import { CloseAccount } from './close-account.tsx'

export default function YourDataPage() {
  return (
    <>
      <PageHeader title={yourDataTexts.title} subtitle={yourDataTexts.subtitle} />
      <AccountSections />
      <div className="grid max-w-3xl gap-5">
        <Export />
        <CloseAccount />
      </div>
    </>
  )
}

const texts = yourDataTexts.export

function Export() {
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const save = () =>
    run(async () => {
      const data = await answerOf(exportAccount())
      const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
      saveFile(texts.file(dayKey(data.exported_at)), file)
      showToast({ title: texts.done })
    })
  return (
    <Card title={texts.title}>
      <div className="flex flex-col items-start gap-3 p-5">
        {error !== null && <ErrorNotice error={error} />}
        <p>{texts.text}</p>
        <ul className="list-disc pl-5 text-muted">
          {texts.parts.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        <p className="text-sm text-muted">{texts.note}</p>
        <Button busy={isBusy} onClick={() => void save()}>
          <Icon name="download" />
          {texts.submit}
        </Button>
      </div>
      {dialog}
    </Card>
  )
}
