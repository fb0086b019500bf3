// Links between the pages of the account.
import { Link, useLocation } from 'wouter'
import { routes } from '../../lib/routes.ts'
import { accountTexts as texts } from '../../messages/account-texts.ts'

const sections = [
  { path: routes.account, label: texts.profileTab },
  { path: routes.security, label: texts.securityTab },
  { path: routes.yourData, label: texts.yourDataTab },
] as const

export function AccountSections() {
  const [path] = useLocation()
  return (
    <nav aria-label={texts.sections} className="mb-5 flex gap-1 border-b border-line">
      {sections.map((section) => (
        <Link
          key={section.path}
          href={section.path}
          aria-current={path === section.path ? 'page' : undefined}
          className="-mb-px flex h-9 items-center border-b-2 border-transparent px-3 font-medium text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
        >
          {section.label}
        </Link>
      ))}
    </nav>
  )
}
