// The terms that a sign-up accepts, if the service has any.
import { signUpTexts } from '../../messages/sign-up-texts.ts'

const texts = signUpTexts.terms

type Props = { terms_url: string | null; privacy_url: string | null }

export function Terms({ terms_url, privacy_url }: Props) {
  if (terms_url === null) return null
  return (
    <p className="text-sm text-muted">
      {texts.before}
      <OtherPage href={terms_url} text={texts.terms} />
      {privacy_url !== null && (
        <>
          {texts.between}
          <OtherPage href={privacy_url} text={texts.privacy} />
        </>
      )}
      {texts.after}
    </p>
  )
}

function OtherPage({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-accent-ink underline">
      {text}
    </a>
  )
}
