// The API key of an account that was just created, shown once. The session is there already, but
// the pages wait until the key is stored.
import { signUpTexts } from '../../messages/sign-up.ts'
import { Button } from '../button.tsx'
import { EntryPage } from './entry-page.tsx'
import { SecretOnce } from './secret-once.tsx'

const texts = signUpTexts.key

export function FirstKey({ value, onStored }: { value: string; onStored: () => Promise<void> }) {
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      <SecretOnce label={texts.label} value={value} />
      <p className="mt-4 text-muted">
        {texts.keep} {texts.later}
      </p>
      <Button look="primary" className="mt-6" onClick={() => void onStored()}>
        {texts.stored}
      </Button>
    </EntryPage>
  )
}
