/** The few words of the shell itself, in the languages of the web client, which a check compares; the device's language chooses. */
const TEXTS = {
  en: {
    title: 'Your server',
    hint: 'Keyfold is run by whoever you trust with it. Where is yours?',
    label: 'Server address',
    go: 'Continue',
    busy: 'Looking for the server…',
    invalid: 'This is not the address of a server',
    absent: 'No Keyfold server answers at {address}',
  },
  de: {
    title: 'Ihr Server',
    hint: 'Keyfold betreibt, wem Sie es anvertrauen. Wo ist Ihres?',
    label: 'Adresse des Servers',
    go: 'Weiter',
    busy: 'Der Server wird gesucht …',
    invalid: 'Das ist keine Adresse eines Servers',
    absent: 'Unter {address} antwortet kein Keyfold-Server',
  },
  es: {
    title: 'Su servidor',
    hint: 'Keyfold lo gestiona quien usted elija. ¿Dónde está el suyo?',
    label: 'Dirección del servidor',
    go: 'Continuar',
    busy: 'Buscando el servidor…',
    invalid: 'Esto no es la dirección de un servidor',
    absent: 'Ningún servidor de Keyfold responde en {address}',
  },
  fr: {
    title: 'Votre serveur',
    hint: 'Keyfold est géré par la personne à qui vous le confiez. Où est le vôtre ?',
    label: 'Adresse du serveur',
    go: 'Continuer',
    busy: 'Recherche du serveur…',
    invalid: 'Ce n’est pas l’adresse d’un serveur',
    absent: 'Aucun serveur Keyfold ne répond à l’adresse {address}',
  },
  ar: {
    title: 'خادمك',
    hint: 'يشغّل Keyfold من تأتمنه عليه. أين خادمك؟',
    label: 'عنوان الخادم',
    go: 'متابعة',
    busy: 'جارٍ البحث عن الخادم…',
    invalid: 'هذا ليس عنوان خادم',
    absent: 'لا يجيب أي خادم Keyfold على {address}',
  },
};

/** The first of the device's languages that there are words in; English otherwise. */
export function chooseTexts(languages) {
  const codes = languages.map(language => language.toLowerCase().split('-')[0]);
  const code = codes.find(one => Object.hasOwn(TEXTS, one)) ?? 'en';
  return { code, isRightToLeft: code === 'ar', texts: TEXTS[code] };
}
