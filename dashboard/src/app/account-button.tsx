// Button of the account menu. The menu's code is a third of the shell's, so it is loaded after it.
import { Suspense, useState } from 'react'
import { Icon } from '../components/icon.tsx'
import { earlyPart } from '../lib/parts/lazy-part.ts'
import { common } from '../messages/common-texts.ts'

const AccountMenu = earlyPart(() => import('./account-menu.tsx'))

const buttonClass =
  'grid size-9 place-items-center rounded-full border border-line bg-surface text-muted ' +
  'shadow-card hover:text-ink'

export function AccountButton() {
  const [isOpened, setOpened] = useState(false)
  const button = (
    <button
      type="button"
      aria-label={common.account}
      aria-haspopup="menu"
      aria-expanded={false}
      className={buttonClass}
      onClick={() => setOpened(true)}
    >
      <Icon name="user" />
    </button>
  )
  return (
    <div className="ml-auto">
      {isOpened ? (
        <Suspense fallback={button}>
          <AccountMenu className={buttonClass} />
        </Suspense>
      ) : (
        button
      )}
    </div>
  )
}
