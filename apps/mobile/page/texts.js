/**
 * The shell's own few strings, in the languages of the web client (a check compares them); the
 * device's language selects one.
 */
const TEXTS = {
  en: {
    title: 'Your server',
    hint: 'Keyfold runs on many independent servers. Enter the address of yours.',
    label: 'Server address',
    go: 'Continue',
    busy: 'Looking for the server…',
    invalid: 'This isn’t a server address. Enter one such as mail.example.org.',
    absent: 'No Keyfold server found at {address}',
  },
  de: {
    title: 'Ihr Server',
    hint: 'Keyfold läuft auf vielen unabhängigen Servern. Geben Sie die Adresse Ihres Servers ein.',
    label: 'Adresse des Servers',
    go: 'Weiter',
    busy: 'Der Server wird gesucht …',
    invalid: 'Das ist keine Serveradresse. Geben Sie eine wie mail.example.org ein.',
    absent: 'Unter {address} antwortet kein Keyfold-Server',
  },
  es: {
    title: 'Su servidor',
    hint: 'Keyfold funciona en muchos servidores independientes. Introduzca la dirección del suyo.',
    label: 'Dirección del servidor',
    go: 'Continuar',
    busy: 'Buscando el servidor…',
    invalid: 'Esto no es la dirección de un servidor. Introduzca una como mail.example.org.',
    absent: 'Ningún servidor de Keyfold responde en {address}',
  },
  fr: {
    title: 'Votre serveur',
    hint: 'Keyfold fonctionne sur de nombreux serveurs indépendants. Saisissez l’adresse du vôtre.',
    label: 'Adresse du serveur',
    go: 'Continuer',
    busy: 'Recherche du serveur…',
    invalid: 'Ce n’est pas l’adresse d’un serveur. Saisissez une adresse comme mail.example.org.',
    absent: 'Aucun serveur Keyfold ne répond à l’adresse {address}',
  },
  ar: {
    title: 'خادمك',
    hint: 'يعمل Keyfold على خوادم مستقلة كثيرة. أدخل عنوان خادمك.',
    label: 'عنوان الخادم',
    go: 'متابعة',
    busy: 'جارٍ البحث عن الخادم…',
    invalid: 'هذا ليس عنوان خادم. أدخل عنوانًا مثل mail.example.org.',
    absent: 'لا يجيب أي خادم Keyfold على {address}',
  },
  'pt-BR': {
    title: 'Seu servidor',
    hint: 'O Keyfold funciona em muitos servidores independentes. Digite o endereço do seu.',
    label: 'Endereço do servidor',
    go: 'Continuar',
    busy: 'Procurando o servidor…',
    invalid: 'Este não é o endereço de um servidor. Digite um como mail.example.org.',
    absent: 'Nenhum servidor Keyfold responde em {address}',
  },
  it: {
    title: 'Il Suo server',
    hint: 'Keyfold funziona su molti server indipendenti. Inserisca l’indirizzo del Suo.',
    label: 'Indirizzo del server',
    go: 'Continua',
    busy: 'Ricerca del server…',
    invalid: 'Questo non è l’indirizzo di un server. Inserisca un indirizzo come mail.example.org.',
    absent: 'Nessun server Keyfold risponde all’indirizzo {address}',
  },
  nl: {
    title: 'Uw server',
    hint: 'Keyfold draait op veel onafhankelijke servers. Voer het adres van uw server in.',
    label: 'Adres van de server',
    go: 'Doorgaan',
    busy: 'De server wordt gezocht…',
    invalid: 'Dit is geen serveradres. Voer een adres in zoals mail.example.org.',
    absent: 'Op {address} antwoordt geen Keyfold-server',
  },
  pl: {
    title: 'Serwer',
    hint: 'Keyfold działa na wielu niezależnych serwerach. Wpisz adres właściwego serwera.',
    label: 'Adres serwera',
    go: 'Kontynuuj',
    busy: 'Wyszukiwanie serwera…',
    invalid: 'To nie jest adres serwera. Wpisz adres taki jak mail.example.org.',
    absent: 'Pod adresem {address} nie odpowiada żaden serwer Keyfold',
  },
  ja: {
    title: 'サーバー',
    hint: 'Keyfoldは多くの独立したサーバーで動作します。お使いのサーバーのアドレスを入力してください。',
    label: 'サーバーのアドレス',
    go: '続ける',
    busy: 'サーバーを探しています…',
    invalid: 'サーバーのアドレスではありません。mail.example.orgのようなアドレスを入力してください。',
    absent: '{address}でKeyfoldサーバーが応答しません',
  },
  'zh-Hans': {
    title: '您的服务器',
    hint: 'Keyfold 运行在许多独立的服务器上。请输入您的服务器地址。',
    label: '服务器地址',
    go: '继续',
    busy: '正在查找服务器…',
    invalid: '这不是服务器地址。请输入类似 mail.example.org 的地址。',
    absent: '{address} 上没有 Keyfold 服务器响应',
  },
};

/** Language and script of a tag, as in the web client's src/lib/languages.ts; null if malformed. */
function writtenForm(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/** The first of the device's languages that has texts, in any region; English otherwise. */
export function chooseTexts(languages) {
  const codes = Object.keys(TEXTS);
  const match = tag => {
    const form = writtenForm(tag);
    return form === null ? undefined : codes.find(code => writtenForm(code) === form);
  };
  const code = languages.map(match).find(one => one !== undefined) ?? 'en';
  return { code, isRightToLeft: code === 'ar', texts: TEXTS[code] };
}
