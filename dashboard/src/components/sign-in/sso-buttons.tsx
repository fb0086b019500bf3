// Buttons of the identity providers, if the service has any, and the error of an earlier attempt.
// They are loaded after the page, which does not wait for them.
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { openProvider, openProviderToConfirm, useLeaving } from '../../lib/sign-in/sso.ts'
import { ssoTexts as texts } from '../../messages/sign-in/sso-texts.ts'
import { Button } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'
import { Terms } from './terms.tsx'

type Props = {
  /** The path of the application to which the provider leads back. */
  next: string
  /** The code in the callback's `sso_error`. */
  failed?: string | null
  /** The providers of linked identities, by one of which the owner of the session confirms. */
  confirms?: readonly string[]
  /** Whether an account may be created in this way, which accepts the terms. */
  showsTerms?: boolean
}

export default function SsoButtons({ next, failed = null, confirms, showsTerms = false }: Props) {
  const facts = useServiceFacts()
  const leave = (provider: string) =>
    confirms ? openProviderToConfirm(provider, next) : openProvider(provider, next)
  const { opened, error, open } = useLeaving(leave, failed)
  const notice = error !== null && <ErrorNotice error={error} />
  const all = facts.state === 'read' ? facts.signUp.sso_providers : []
  const providers = confirms ? all.filter((id) => confirms.includes(id)) : all
  if (facts.state !== 'read' || providers.length === 0)
    return notice && <div className="mb-6">{notice}</div>
  const { sso_provider_names, sign_up } = facts.signUp
  return (
    <div className="mb-6 flex flex-col gap-3">
      {notice}
      {providers.map((id) => (
        <Button key={id} busy={opened === id} onClick={() => void open(id)}>
          {texts.continueWith(sso_provider_names[id] ?? id)}
        </Button>
      ))}
      {showsTerms && sign_up === 'open' && <Terms {...facts.signUp} />}
      <div className="mt-3 flex items-center gap-3 text-sm text-muted">
        <span className="h-px grow bg-line" />
        {texts.or}
        <span className="h-px grow bg-line" />
      </div>
    </div>
  )
}
