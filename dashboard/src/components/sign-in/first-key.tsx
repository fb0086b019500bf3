// The API key of an account that was just created, shown once. The user is logged in already, but
// the pages wait until the key is stored.
import { scopeTexts } from '../../../../shared/scopes.ts'
import { signUpTexts } from '../../messages/sign-up-texts.ts'
import { Button } from '../button.tsx'
import { EntryPage } from './entry-page.tsx'
import { SecretOnce } from './secret-once.tsx'

const texts = signUpTexts.key

export function FirstKey({ value, onStored }: { value: string; onStored: () => Promise<void> }) {
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      <SecretOnce label={texts.label} value={value} />
      <p className="mt-4 rounded-lg bg-warn-soft px-4 py-3 text-warn">
        {texts.may(scopeTexts.presets.buy.label)}
      </p>
      <p className="mt-4 text-muted">{texts.keep}</p>
      <p className="mt-2 text-muted">{texts.later}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button look="primary" onClick={() => void onStored()}>
          {texts.stored}
        </Button>
        <Button onClick={() => void onStored()}>{texts.skip}</Button>
      </div>
    </EntryPage>
  )
}
