// Account menu: theme and log-out. The click that loaded its code also opens it.
import { Icon } from '../components/icon.tsx'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/popups/menu.tsx'
import { useAccount } from '../lib/account.ts'
import { logOutHere } from '../lib/log-out.ts'
import { applyTheme, themes, useTheme } from '../lib/theme.ts'
import { common } from '../messages/common-texts.ts'

const options = themes.map((value) => ({ value, label: common.themes[value] }))

export default function AccountMenu({ className }: { className: string }) {
  const account = useAccount()
  const theme = useTheme()
  return (
    <Menu defaultOpen label={common.account} className={className} trigger={<Icon name="user" />}>
      <p className="max-w-64 truncate px-2.5 py-1.5 text-sm text-muted">{account.email}</p>
      <MenuSeparator />
      <MenuChoices label={common.theme} value={theme} options={options} onChange={applyTheme} />
      <MenuSeparator />
      <MenuItem onSelect={() => void logOutHere()}>{common.logOut}</MenuItem>
    </Menu>
  )
}
