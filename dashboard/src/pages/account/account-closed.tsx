// The page after an account was closed. The session has ended, so the page needs none.
import { buttonClass } from '../../components/button.tsx'
import { EntryPage } from '../../components/sign-in/entry-page.tsx'
import { yourDataTexts } from '../../messages/account/your-data-texts.ts'

const texts = yourDataTexts.closed

export default function AccountClosedPage() {
  return (
    <EntryPage title={texts.title} subtitle={texts.text}>
      <p className="mb-6">{texts.again}</p>
      <a href="/" className={`${buttonClass('primary')} self-start`}>
        {texts.toStart}
      </a>
    </EntryPage>
  )
}
